#!/bin/sh
# SPDX-License-Identifier: MIT
# How a terrain wears down, from the map to ParaView:   sh terrain.sh [MAP SOIL DX,DY STEP STEPS]
#   MAP   elevations in m: GeoTIFF (.tif), ESRI ASCII (.asc), NetCDF-4 or others that hetgrid-heat --help names
#   SOIL  diffusivity in m2/s, a field of the same cells
#   DX,DY size of a cell in m; STEP: s of a time step; STEPS: how many
# Without them: 403 x 344 cells around the Jacksboro fault in Tennessee, from matplotlib's samples, for 5.7 million years.
# RANKS (2): MPI ranks. MPIRUN (mpirun -n): what starts them. Everything is written to the current folder.
set -eu
export LC_ALL=C # a decimal point everywhere
map=${1:-jacksboro.tif} soil=${2:-jacksboro-soil.asc} spacing=${3:-74.4,92.6} step=${4:-3e11} steps=${5:-600}

# --- the map: the sample comes as bare numbers; with its place it is an ESRI ASCII grid, and from that a GeoTIFF
if [ $# -eq 0 ]; then
  hetgrid-heat --quiet --input /usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz:elevation --steps 0 --output bare.csv
  { printf 'ncols 403\nnrows 344\nxllcorner -84.41375\nyllcorner 36.44625\ncellsize 0.00083333333333\n'; tr , ' ' < bare.csv; } > jacksboro.asc
  hetgrid-heat --quiet --input jacksboro.asc --steps 0 --output jacksboro.tif
  # --- the ground: sandstone above 550 m, loose soil below (0.001 and 0.01 m2 a year)
  awk 'NR <= 5 { print; next } { for (i = 1; i <= NF; i++) $i = $i > 550 ? 3e-11 : 3e-10; print }' jacksboro.asc > jacksboro-soil.asc
fi
hetgrid-heat --quiet --input "$map" --nodata mask --steps 0 --output terrain-map.png --output before.csv --label 'elevation (m)'
hetgrid-heat --quiet --input "$soil" --nodata mask --steps 0 --output terrain-soil.png --colormap viridis --label 'diffusivity (m2/s)'

# --- the plan: this machine for this map; for a map of one point per metre, a cluster of four old and two new nodes
printf 'device core cpu heat=1.5e8 heat_item=2e-9 start=5e-6 full=10 wait=5\nnode core*2 base=20\n' > here.platform
rows=$(wc -l < before.csv) columns=$(head -n 1 before.csv | tr , '\n' | wc -l)
hetgrid-simulate --platform here.platform --size "$columns,$rows" --steps "$steps" --predict-only
cat > cluster.platform <<END
device old cpu heat=1.5e8 heat_item=2e-9 start=5e-6 full=8 wait=4
device new cpu heat=3e8 heat_item=2e-9 start=5e-6 full=6 wait=3
node 4*old*16 base=150
node 2*new*32 base=200
network bandwidth=12.5e9 latency=2e-6 switch=100
END
hetgrid-simulate --platform cluster.platform --size 30000,31900 --steps "$steps" --predict-only --model even,fpmc
hetgrid-plan --quiet --platform cluster.platform --size 30000,31900 --partition nodes --picture terrain-plan.png

# --- the run: nothing leaves the map; joules by the powers that here.platform says
${MPIRUN:-mpirun -n} "${RANKS:-2}" hetgrid-heat --input "$map" --nodata mask --diffusivity "$soil" --boundary insulated --spacing "$spacing" \
  --time-step "$step" --steps "$steps" --energy=modelled:here.platform --snapshot-every $((steps / 6)) --snapshot terrain \
  --trace=terrain-run --output after.tif --output after.csv

# --- what changed, in steps of 5 m
paste -d, before.csv after.csv |
  awk -F, '{ n = NF / 2; for (i = 1; i <= n; i++) printf "%d%s", 5 * sprintf("%.0f", ($(i + n) - $i) / 5), i < n ? "," : "\n" }' > change.csv
hetgrid-heat --quiet --input change.csv --steps 0 --output terrain-change.png --colormap redblue --range -100,100 --label 'change (m)'
