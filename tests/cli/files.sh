#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files of other programs: GeoTIFF, texts compressed by gzip, SciPy's sparse matrices; read and written as those programs
# do (PY: a Python with rasterio, tifffile, xarray, scipy; tests of missing ones are skipped).
. "${srcdir:-.}/tests/tap.sh"
python=${PY:-python3} top=$(cd "${srcdir:-.}" && pwd)
has() { "$python" -c "import $1" 2> /dev/null; }
jacobi=$PWD/hetgrid-jacobi
cd "$work" || exit 99
heat=("$heat" --quiet --steps 0)

# --- texts compressed by gzip
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 2 4\n3 3 8\n1 3 1\n' > m.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n3\n4\n8\n' > b.mtx
gzip -k m.mtx b.mtx
"$elimination" --quiet --matrix m.mtx --rhs b.mtx --output plain.txt
succeeds ".mtx.gz is read" "$elimination" --quiet --matrix m.mtx.gz --rhs b.mtx.gz --output packed.txt
same plain.txt packed.txt "... with the same solution"
printf '1,2,3\n4,5,6\n7,8,9\n' > f.csv
printf 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n4 5 6\n7 8 9\n' > f.asc
gzip -k f.csv f.asc
"${heat[@]}" --input f.csv --output plain.npy
for file in f.csv.gz f.asc f.asc.gz; do
  succeeds "$file is read" "${heat[@]}" --input $file --output packed.npy
  same plain.npy packed.npy "... with the values of f.csv"
done
cat f.csv.gz f.csv.gz > twice.csv.gz
succeeds "two compressed files, one after the other" "${heat[@]}" --input twice.csv.gz --output twice.csv
[ "$(wc -l < twice.csv)" -eq 6 ]; ok $? "... are one text"
head -c 25 m.mtx.gz > cut.mtx.gz
fails 1 'cut.mtx.gz: the gzip data are damaged or truncated' "a truncated one" "$elimination" --matrix cut.mtx.gz
size=$(stat -c %s f.csv.gz)
for damage in "seek=$size" "seek=$((size + 1))" "seek=$((size + 15))"; do # first bytes of the second member, then one of its values
  cp twice.csv.gz damaged.csv.gz; printf X | dd of=damaged.csv.gz bs=1 $damage conv=notrunc 2> /dev/null
  fails 1 'damaged.csv.gz: the gzip data are damaged' "the second one damaged ($damage)" "${heat[0]}" --input damaged.csv.gz
done
{ cat f.csv.gz; printf '\37'; } > tail.csv.gz
fails 1 'tail.csv.gz: the gzip data are damaged or truncated' "one that ends within the second file" "${heat[0]}" --input tail.csv.gz
{ cat f.csv.gz; head -c 600 /dev/zero; } > padded.csv.gz
succeeds "one that is padded with zeros, as on a tape" "${heat[@]}" --input padded.csv.gz --output packed.npy
same plain.npy packed.npy "... with its values"
for method in STORED DEFLATED; do
  "$python" -c "import zipfile; zipfile.ZipFile('f.npz', 'w', zipfile.ZIP_$method).write('plain.npy', 'f.npy')"
  succeeds "an .npz ($method)" "${heat[@]}" --input f.npz --output packed.npy
  same plain.npy packed.npy "... with its values"
  "$python" -c "
data = bytearray(open('f.npz', 'rb').read())
at = data.index(b'PK\\1\\2')
if '$method' == 'STORED': data[at - 1] ^= 1
else: data[at + 16] ^= 1
open('f.npz', 'wb').write(data)"
  fails 1 'f.npz: a member is damaged' "... whose values do not match its checksum" "${heat[0]}" --input f.npz
done
printf '' | gzip > none.csv.gz
fails 1 'none.csv.gz: empty when decompressed' "an empty one" "${heat[0]}" --input none.csv.gz
cp m.mtx.gz m.mtx.other
fails 1 'm.mtx.other: is compressed by gzip' "under another name" "$elimination" --matrix m.mtx.other
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n9 1 2\n' | gzip > wrong.mtx.gz
fails 1 'wrong.mtx.gz:3:' "errors name the line of the uncompressed text" "$elimination" --matrix wrong.mtx.gz

# the position of a grid is passed on to its output
printf 'ncols 3\nnrows 2\nxllcorner 100\nyllcenter 41\ndx 5\ndy 2\n1 2 3\n4 5 6\n' > placed.asc
"${heat[0]}" --quiet --steps 0 --input placed.asc --output placed.nc --snapshot-every 1 --snapshot-box 1,0:2,2 --snapshot part
if has h5py; then
  succeeds "a result has an ESRI grid's coordinates" "$python" -c '
import h5py
f = h5py.File("placed.nc")
assert list(f["x"]) == [102.5, 107.5, 112.5] and list(f["y"]) == [43, 41], (list(f["x"]), list(f["y"]))
f = h5py.File("part.000000000.h5")
assert list(f["x"]) == [107.5, 112.5] and list(f["y"]) == [43, 41], (list(f["x"]), list(f["y"]))'
else skip "$python has no h5py"; fi

{ printf 'ncols 5\nnrows 4\nxllcorner 3\nyllcorner 4\ncellsize 10\n'; for _ in 1 2 3 4; do echo 1 1 1 1 1; done; } > map.asc
sed '/^[xy]ll/d' map.asc > somewhere.asc
jacobi_of() { "$jacobi" --problem "$1" --source 1 --error 1e-6 --quiet --output "$2"; }
jacobi_of map.asc here.csv && jacobi_of somewhere.asc there.csv; ok $? "a map without coordinates has the extents of its cells"
same here.csv there.csv "... with the same solution"
for wrong in 'cellsize 0:cellsize 0, must be > 0' 'cellsize -10:cellsize -10, must be > 0' 'xllcorner 1:both xllcorner and xllcenter'; do
  printf 'ncols 2\nnrows 1\nxllcenter 1\n%s\n1 2\n' "${wrong%%:*}" > wrong.asc
  fails 1 "wrong.asc: ${wrong#*:}" "a head with ${wrong%%:*}" "${heat[0]}" --input wrong.asc
done
printf 'ncols 0\nnrows 0\n# none\n' > none.asc; fails 1 'none.asc: holds no numbers' "a grid without rows" "${heat[0]}" --input none.asc
printf 'ncols 3\nnrows 1\n1 -9999 3\n' > default.asc
fails 1 'default.asc: the cell at \(1, 0\) has no data \(-9999\)' "-9999 is no data if the head names no other number" "${heat[0]}" --input default.asc

# --- cells without data
nodata=("$heat" --quiet --nodata mask --boundary insulated)
awk 'BEGIN { print "ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999"
  for (y = 0; y < 30; y++) for (x = 0; x < 40; x++) printf "%g%s", x == 25 ? -9999 : (7 * x + 11 * y) % 50, x < 39 ? " " : "\n" }' > cut.asc
awk 'BEGIN { for (y = 0; y < 30; y++) for (x = 0; x < 25; x++) printf "%g%s", (7 * x + 11 * y) % 50, x < 24 ? "," : "\n" }' > west.csv
awk 'BEGIN { for (y = 0; y < 30; y++) for (x = 0; x < 25; x++) printf "1%s", x < 24 ? "," : "\n" }' > ones.csv
fails 1 'cut.asc: the cell at \(25, 0\) has no data \(-9999\).*--nodata mask' "a cell without data is refused" "${heat[0]}" --input cut.asc
for precision in double float; do
  succeeds "... or is no part of the grid ($precision)" "${nodata[@]}" --input cut.asc --steps 70 --precision $precision --verify --output masked.csv --output masked.npy
  "${heat[0]}" --quiet --input west.csv --boundary insulated --steps 70 --precision $precision --diffusivity ones.csv --time-step .1 --spacing 1 --output alone.csv
  cut -d, -f1-25 masked.csv > half.csv
  same alone.csv half.csv "... cells west of such cells behave as if alone"
  [ "$(cut -d, -f26 masked.csv | sort -u)" = -9999 ]; ok $? "... they keep the number for no data ($(cut -d, -f26 masked.csv | sort -u | head -n 3 | xargs))"
  for how in "--tile 9,11" "--partition rows --speeds 3,1 --time-block 5"; do
    # shellcheck disable=SC2086
    succeeds "... $how" "${nodata[@]}" --input cut.asc --steps 70 --precision $precision $how --output got.npy
    same masked.npy got.npy "... the same bits"
  done
  succeeds "... on three ranks" "$ranks" 3 "${nodata[@]}" --input cut.asc --steps 70 --precision $precision --output got.npy
  same masked.npy got.npy "... the same bits"
done
"$heat" --input cut.asc --nodata mask --boundary insulated --steps 70 > out
for ending in npy csv txt mtx h5 tif; do
  said=$("${nodata[@]}" --input cut.asc --steps 1 --output holes.$ending 2>&1)
  case $ending in h5 | tif) [ -z "$said" ];; *) echo "$said" | grep -q 'cells without data are -9999 there, which such a file does not say';; esac
  ok $? "holes of .$ending: ${said:-nothing has to be said}"
done
grep -q '^  result     smallest [0-9.]*, largest [0-9.]*, mean 2[0-9.]*$' out; ok $? "smallest, largest and mean are those of other cells ($(grep result out))"
printf '1e308,1e308,1e308\n1e308,1e308,1e308\n' > vast.csv; "$heat" --steps 0 --input vast.csv > out
grep -q 'mean 1e+308$' out; ok $? "... the mean of numbers whose sum no double holds ($(grep result out))"
"${nodata[@]}" --input cut.asc --steps 70 --output masked.npy
succeeds "a run is interrupted" "${nodata[@]}" --input cut.asc --steps 30 --checkpoint half.h5
succeeds "... and is resumed" "${nodata[@]}" --input cut.asc --steps 70 --restart half.h5 --output got.npy
same masked.npy got.npy "... with the bits of one that was not"
awk 'NR == 6 { print "NODATA_value 0"; next } { gsub(/-9999/, 0); print }' cut.asc > soil.asc
succeeds "with a field of diffusivity, which has no data there either" "${nodata[@]}" --input cut.asc --diffusivity soil.asc --time-step .004 --spacing 1 --steps 20 --verify --output soil.csv
[ "$(cut -d, -f26 soil.csv | sort -u)" = -9999 ]; ok $? "... they keep it"
"${nodata[@]}" --input cut.asc --steps 3 --output masked.nc --snapshot-every 3 --snapshot cut
"$heat" --show masked.nc > shown; grep -q '^nodata  *mask$' shown; ok $? "a result says that such cells were left out ($(grep nodata shown | head -n 1 | xargs))"
succeeds "a result with such cells is read again" "${nodata[@]}" --input masked.nc --steps 67 --output got.npy
same masked.npy got.npy "... and is resumed"
fails 1 'masked.nc: the cell at \(25, 0, 0\) has no data' "... but not without --nodata" "${heat[0]}" --input masked.nc
fails 1 'cut.000000003.h5: the cell at \(25, 0, 0\) has no data' "... as a snapshot" "${heat[0]}" --input cut.000000003.h5
"${nodata[@]}" --input cut.asc --steps 3 --output masked.png --pixels --colormap inferno
grey=$(python3 "$top/tests/cli/picture.py" masked.png b4b4b4 | cut -d' ' -f3)
[ "$grey" = 0.025000 ]; ok $? "a picture is grey in cells without data: $grey of it"
fails 2 'nodata mask and --source exclude' "with a source" "${nodata[@]}" --input cut.asc --source 1
fails 2 'kernel: .*--nodata mask has its own' "with a kernel" "${nodata[@]}" --input cut.asc --kernel naive
fails 2 'nodata mask and a side of --boundary with a value' "with values of sides" "$heat" --input cut.asc --nodata mask --boundary fixed=1
fails 2 'nodata mask: needs an --input file' "of a formula" "$heat" --input hotspot --nodata mask
printf 'ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value 0\n-3 1 1 0\n-3 1 1 0\n-3 1 1 0\n' > zero.asc
meets=("$heat" --nodata mask --boundary insulated --alpha .25,.25 --input zero.asc) # after one step each row is -2 0 1
for how in "" "--precision float" "--tile 2,1"; do
  # shellcheck disable=SC2086
  "${meets[@]}" $how --steps 1 > out
  grep -q '^  result     smallest -2, largest 1, mean -0.333333' out; ok $? "a value that is the number for no data is a value $how ($(grep result out))"
  # shellcheck disable=SC2086
  fails 1 'after step 1 the value at \(1, 0, 0\) is 0, which marks cells without data; the result was not' "... and is not written as no data $how" \
    "${meets[@]}" $how --quiet --steps 1 --output zero.nc --output zero.csv
  [ ! -e zero.nc ] && [ ! -e zero.csv ]; ok $? "... no file is there"
done
fails 1 'the value at \(1, 0, 0\) is 0' "... on two ranks" "$ranks" 2 "${meets[@]}" --quiet --steps 1 --output zero.nc
fails 1 'is 0, which marks .*; zero.000000001.h5 was not written' "... in a snapshot" "${meets[@]}" --quiet --steps 2 --snapshot-every 1 --snapshot zero
succeeds "... and once that value has passed, everything is written" "${meets[@]}" --quiet --steps 2 --output zero.csv --verify
[ "$(head -n 1 zero.csv)" = -1.5,-0.25,0.75,0 ]; ok $? "... with the holes ($(head -n 1 zero.csv))"
python3 - <<'END' 2> /dev/null
import struct
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"
head += ' ' * (-(10 + len(head) + 1) % 64) + '\n'
open('taken.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<12d', float('nan'), -9999, *range(10)))
open('nan.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode() + struct.pack('<12d', float('nan'), -1, *range(10)))
END
if [ -s nan.npy ]; then
  succeeds "NaN is no data either" "${nodata[@]}" --input nan.npy --steps 5 --verify --output got.csv
  [ "$(head -n 1 got.csv | cut -d, -f1)" = -9999 ]; ok $? "... which are then written as -9999"
  succeeds "... unless it is a value" "${nodata[@]}" --input taken.npy --steps 0 --output got.csv
  [ "$(head -n 1 got.csv | cut -d, -f1,2)" = -99999,-9999 ]; ok $? "... then -99999 is used ($(head -n 1 got.csv))"
fi

sed 's/-9999/-1.7976931348623157e+308/' cut.asc > least.asc
succeeds "a number for no data that single precision cannot hold" "${nodata[@]}" --precision float --input least.asc --steps 5 --verify --output got.csv
[ "$(cut -d, -f26 got.csv | sort -u)" = -9999 ]; ok $? "... is replaced by -9999"

# --- sparse matrices
if has scipy.sparse; then
  "$python" - <<'END'
import numpy, scipy.sparse as s
r = numpy.random.RandomState(2)
a = s.random(40, 40, .1, random_state=r) + s.eye(40) * 9
numpy.save("dense.npy", a.toarray())
for f in ("csr", "csc", "coo"):
    s.save_npz(f + ".npz", a.asformat(f))
s.save_npz("array.npz", s.csr_array(a))
twice = s.coo_matrix(([1., 2, 9], ([0, 0, 1], [0, 0, 1])), (2, 2))
s.save_npz("twice.npz", twice)
s.save_npz("bsr.npz", s.bsr_matrix(a))
good = dict(numpy.load("csr.npz"))
numpy.savez("far.npz", **dict(good, indices=good["indices"] + 40))
numpy.savez("short.npz", **dict(good, indptr=good["indptr"][:-1]))
numpy.savez("down.npz", **dict(good, indptr=numpy.concatenate([[0, 9, 3], good["indptr"][3:]])))
END
  "$elimination" --quiet --matrix dense.npy --output dense.txt
  for f in csr csc coo array; do
    succeeds "SciPy's sparse matrix, $f" "$elimination" --quiet --matrix $f.npz --output $f.txt
    same dense.txt $f.txt "... has the solution of the dense one"
  done
  succeeds "entries that are stored twice" "$elimination" --quiet --matrix twice.npz --output twice.txt
  fails 1 'bsr.npz: a sparse matrix of format bsr, must be csr, csc or coo' "another format" "$elimination" --matrix bsr.npz
  fails 1 'far.npz: indices 0 is .*, must be in 0..39' "a column outside" "$elimination" --matrix far.npz
  fails 1 'short.npz: indptr holds 40 values' "a list that is too short" "$elimination" --matrix short.npz
  fails 1 'down.npz: indptr 2 is 3, less' "rows that end before they begin" "$elimination" --matrix down.npz
  fails 2 'csr.npz: a sparse SciPy matrix' "a sparse matrix as a field" "${heat[0]}" --input csr.npz
else skip "$python has no scipy"; fi

# --- GeoTIFF
"${heat[0]}" --quiet --steps 0 --size 40,30 --input random --output a.npy
if "${heat[0]}" --quiet --steps 0 --size 40,30 --input random --output a.tif 2> no.txt; then
  succeeds "a TIFF file is read" "${heat[@]}" --input a.tif --output b.npy
  same a.npy b.npy "... with the bits that were written"
  "${heat[0]}" --quiet --steps 0 --size 40,30 --input random --precision float --output f.npy --output f.tif
  "${heat[@]}" --input f.tif --precision float --output g.npy
  same f.npy g.npy "... in single precision, too"
  succeeds "... by two ranks" "$ranks" 2 "${heat[0]}" --quiet --steps 5 --input a.tif --output two.tif
  succeeds "... by one" "${heat[0]}" --quiet --steps 5 --input a.tif --output one.tif
  same one.tif two.tif "... with the same bytes"
  head -c 5000 a.tif > cut.tif
  fails 1 'cut.tif: ' "a truncated one" "${heat[0]}" --input cut.tif
  fails 2 'three.tif: a .tif file has two dimensions' "a grid of three axes" "${heat[0]}" --size 4,4,4 --steps 0 --output three.tif
  cp a.tif a.bin
  fails 1 'a.bin: is TIFF or GeoTIFF, .*ending .tif' "under another name" "${heat[0]}" --input a.bin
  if python3 - <<'END'
import struct
def page(at, bits, form, values, tags, photometric=1): # 2 x 2 values at offset `at`, then their directory
    entries = {256: (3, 2), 257: (3, 2), 258: (3, bits), 259: (3, 1), 262: (3, photometric), 273: (4, at), 277: (3, 1), 278: (3, 2), 279: (4, len(values)), 339: (3, form), **tags}
    more, text = at + len(values) + 6 + 12 * len(entries), b""
    rows = b""
    for tag, (kind, value) in sorted(entries.items()):
        if isinstance(value, str):
            word = value.encode() + b"\0" * max(1, 4 - len(value) - len(value) % 2)
            word += b"\0" * (len(word) % 2)
            rows += struct.pack("<HHII", tag, kind, len(word), more + len(text)) if len(word) > 4 else struct.pack("<HHI4s", tag, kind, len(word), word)
            text += word if len(word) > 4 else b""
        else: rows += struct.pack("<HHII", tag, kind, 1, value)
    return values, struct.pack("<H", len(entries)) + rows, text
def write(name, pages):
    out, link = bytearray(b"II*\0\0\0\0\0"), 4
    for one in pages:
        values, directory, text = page(len(out), *one)
        struct.pack_into("<I", out, link, len(out) + len(values))
        out += values + directory + b"\0\0\0\0"
        link = len(out) - 4
        out += text
    open(name, "wb").write(out)
single, half = struct.pack("<4f", 1, 2, -9999, 4), struct.pack("<4e", 1, 2, -9999, 4)
for name, text in ("none", "none"), ("unit", "-9999 m"), ("blank", " -9999 "), ("nan", "nan"), ("inf", "-inf"), ("empty", ""):
    write("no-%s.tif" % name, [(32, 3, single, {42113: (2, text)})])
write("no-half.tif", [(16, 3, half, {42113: (2, "-9999")})])
for role in "scale", "offset":
    write(role + ".tif", [(32, 3, single, {42112: (2, "<GDALMetadata><Item name='X' sample='0' role='%s'>.1</Item></GDALMetadata>" % role)})])
write("pages.tif", 3 * [(32, 3, single, {})])
write("overview.tif", [(32, 3, single, {}), (32, 3, single, {254: (4, 1)})])
write("mask.tif", [(32, 3, single, {}), (8, 1, b"\1\1\0\1", {254: (4, 4)})])
write("black.tif", [(1, 1, b"\x80\0", {})])
write("white.tif", [(1, 1, b"\x80\0", {}, 0)])
write("described.tif", [(32, 3, single, {42112: (2, "<GDALMetadata><Item name='X' sample='0' role='description'>scale</Item></GDALMetadata>")})])
END
  then
    for text in none 'unit' empty; do
      fails 1 "no-$text.tif: its no-data value \(GDAL_NODATA\) is '.*', must be a number" "not a number for no data ($text)" "${heat[0]}" --input no-$text.tif
    done
    for file in no-blank no-half; do fails 1 "$file.tif: the cell at \(0, 1\) has no data" "a cell without data in $file.tif" "${heat[0]}" --input $file.tif; done
    for file in no-nan no-inf described overview; do
      succeeds "$file.tif is read" "${heat[0]}" --quiet --steps 0 --input $file.tif --output got.csv
      [ "$(paste -sd, got.csv)" = 1,2,-9999,4 ]; ok $? "... with its values ($(paste -sd, got.csv))"
    done
    fails 1 'pages.tif: has 3 pages, must have 1' "several pages" "${heat[0]}" --input pages.tif
    fails 1 'mask.tif: marks cells without data by a mask' "a mask" "${heat[0]}" --input mask.tif
    fails 1 'black.tif: values of 1 bit \(' "values of a bit" "${heat[0]}" --input black.tif
    fails 1 'white.tif: its 0 is white' "... of which 0 is white" "${heat[0]}" --input white.tif
    for role in scale offset; do fails 1 "$role.tif: its values are scaled" "a role in other quotes: $role" "${heat[0]}" --input $role.tif; done
  else skip "no python3"; fi
  if has rasterio; then
    cat > make.py <<'END'
import numpy, rasterio, sys
from rasterio.transform import from_origin
r = numpy.random.RandomState(4)
z = r.randint(-50, 3000, (64, 80))
def write(name, values, bands=1, **more):
    with rasterio.open(name, "w", driver="GTiff", width=values.shape[1], height=values.shape[0], count=bands, dtype=values.dtype,
                       crs="EPSG:32633", transform=from_origin(500000, 5400000, 30, 20), **more) as f:
        for b in range(bands):
            f.write(values, b + 1)
numpy.save("z.npy", z.astype(float))
write("short.tif", z.astype("i2"), tiled=True, blockxsize=16, blockysize=32, compress="deflate", predictor=2)
write("float.tif", z.astype("f4"), compress="lzw", predictor=3)
write("double.tif", z.astype("f8"), bigtiff="yes")
write("bytes.tif", (z % 250).astype("u1"))
numpy.save("bytes.npy", (z % 250).astype(float))
hole = z.astype("f4"); hole[7, 5] = -9999
write("hole.tif", hole, nodata=-9999)
hole[7, 5] = numpy.nan
write("nan.tif", hole, nodata=float("nan"))
write("whole.tif", z.astype("f4"), nodata=-9999)
write("bands.tif", z.astype("i2"), bands=3)
with rasterio.open("scaled.tif", "w", driver="GTiff", width=80, height=64, count=1, dtype="int16") as f:
    f.write(z.astype("i2"), 1); f.scales = (.1,)
END
    succeeds "rasterio makes some" "$python" make.py
    "${heat[@]}" --input z.npy --output want.npy
    for file in short float double whole; do
      succeeds "rasterio's $file.tif is read" "${heat[@]}" --input $file.tif --output got.npy
      same want.npy got.npy "... with its values"
    done
    "${heat[@]}" --input bytes.npy --output want.npy; "${heat[@]}" --input bytes.tif --output got.npy; same want.npy got.npy "bytes are read"
    for file in hole nan; do
      succeeds "$file.tif without the cell that has no data" "${heat[0]}" --quiet --nodata mask --boundary insulated --steps 9 --input $file.tif --output out-$file.tif --output out-$file.nc
    done
    succeeds "rasterio finds no data there in results, and GDAL's statistics leave it out" "$python" -c '
import numpy, rasterio
z = numpy.load("z.npy")
for name in "hole", "nan":
    with rasterio.open("out-%s.tif" % name) as f:
        v = f.read(1, masked=True)
        assert f.nodata == -9999 and v.mask.sum() == 1 and v.mask[7, 5], (f.nodata, v.mask.sum())
        assert abs(v.mean() - numpy.delete(z.ravel(), 7 * 80 + 5).mean()) < 1e-9, v.mean()
        assert abs(f.statistics(1).mean - v.mean()) < 1e-6, f.statistics(1)'
    if has xarray && has netCDF4; then
      succeeds "... and xarray" "$python" -c '
import numpy, xarray
v = xarray.open_dataset("out-hole.nc", engine="netcdf4", decode_times=False)["temperature"]
assert numpy.isnan(v.values).sum() == 1 and numpy.isnan(v.values[7, 5])'
    fi
    fails 1 'hole.tif: the cell at \(5, 7\) has no data' "a cell without data" "${heat[0]}" --input hole.tif
    fails 1 'bands.tif: has 3 bands' "three bands" "${heat[0]}" --input bands.tif
    fails 1 'scaled.tif: its values are scaled' "scaled values" "${heat[0]}" --input scaled.tif
    succeeds "terrain is smoothed" "${heat[0]}" --quiet --steps 3 --input short.tif --output out.tif --output out.nc --output out.npy \
      --snapshot-every 3 --snapshot-box 10,20:40,30 --snapshot-stride 4,3 --snapshot part
    succeeds "rasterio finds it where it was, with its values" "$python" -c '
import numpy, rasterio
with rasterio.open("short.tif") as a, rasterio.open("out.tif") as b:
    assert a.crs == b.crs and a.crs.to_epsg() == 32633, (a.crs, b.crs)
    assert a.transform == b.transform, (a.transform, b.transform)
    assert (b.read(1) == numpy.load("out.npy")).all()'
    if has xarray; then
      succeeds "xarray finds it there, too" "$python" -c '
import numpy, rasterio, xarray
d = xarray.open_dataset("out.nc")
x, y = d["x"], d["y"]
assert x.standard_name == "projection_x_coordinate" and x.units == "m"
assert numpy.allclose(x, 500015 + 30 * numpy.arange(80)) and numpy.allclose(y, 5399990 - 20 * numpy.arange(64)), (x, y)
p = xarray.open_dataset("part.000000003.h5")
assert numpy.allclose(p["x"], x[10:50:4]) and numpy.allclose(p["y"], y[20:50:3]) and rasterio.crs.CRS.from_wkt(p["spatial_ref"].attrs["spatial_ref"]).to_epsg() == 32633, (p["x"], p["y"])
v = d["temperature"]
assert rasterio.crs.CRS.from_wkt(d["spatial_ref"].attrs["crs_wkt"]).to_epsg() == 32633 and (v.attrs.get("grid_mapping") or v.encoding.get("grid_mapping")) == "spatial_ref"'
    else skip "$python has no xarray"; fi
    cat > systems.py <<'END'
import numpy, rasterio, sys
from rasterio.transform import from_origin
for code in sys.argv[1:]:
    with rasterio.open("at-%s.tif" % code, "w", driver="GTiff", width=4, height=3, count=1, dtype="float64", crs="EPSG:" + code, transform=from_origin(10, 20, 1, 1)) as f:
        f.write(numpy.ones((3, 4)), 1)
END
    "$python" systems.py 4326 4258 4269 32601 32760 25832 26917 2154
    if gdalinfo --formats 2> err | grep -q netCDF; then
      for code in 4326 4258 4269 32601 32760 25832 26917; do
        "${heat[@]}" --input at-$code.tif --output at-$code.nc
        [ "$(gdalsrsinfo -o epsg at-$code.nc 2> err | xargs)" = EPSG:$code ]; ok $? "GDAL, and so QGIS, knows a .nc result to lie in EPSG:$code $(head -n 1 err)"
      done
    else skip "no GDAL here that reads NetCDF (Debian: gdal-bin)"; fi
    "${heat[@]}" --input at-2154.tif --output at-2154.nc
    succeeds "for other systems it has their number" "$python" -c 'import rasterio, h5py; assert rasterio.crs.CRS.from_user_input(h5py.File("at-2154.nc")["spatial_ref"].attrs["spatial_ref"].decode()).to_epsg() == 2154'
  else skip "$python has no rasterio"; fi
else
  skip "$(head -n 1 no.txt)"
fi
done_testing
