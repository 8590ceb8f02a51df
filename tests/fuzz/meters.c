/* SPDX-License-Identifier: MIT */
#include "energy/meterlog.h"
#include "fuzz.h"
#include "hetgrid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  hg_meterlog log;
  double joules;
  if (hg_meterlog_parse((const char *)data, size, "fuzz", &log) != HG_OK) return 0;
  hg_meterlog_joules(&log, "fuzz", 1, 2, &joules);
  const double end = hg_meterlog_end(&log);
  hg_meterlog_joules(&log, "fuzz", end, end, &joules);
  hg_meterlog_free(&log);
  return 0;
}

#ifndef HG_LIBFUZZER
int main(void)
{
  static const char one[] = "time,watts\n0,100\n1.5,110.25\n# remark\n3,90\n",
                    two[] = "\xef\xbb\xbf"
                            "time,a,b\r\n1970-01-01T00:00:00.5Z,1,2\r\n1970-01-01 00:00:09+01:30,3,4\r\n";
  const fuzz_seed seeds[] = {{one, sizeof one - 1}, {two, sizeof two - 1}};
  setenv("HETGRID_LOG", "error", 1); /* warnings about gaps are not needed here */
  return fuzz_main("the reader of meters", "meters", seeds, 2, 100000);
}
#endif
