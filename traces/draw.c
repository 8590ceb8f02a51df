/* SPDX-License-Identifier: MIT */
#include "traces/draw.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 90, WIDTH = 1000, TOP = 52, ROW = 26, BAR = 18, STRIP = 4, LEGEND = 22, ARROWS = 400, SIDE = 720 };
static const double NARROW = .25; /* of a pixel */

static void write_text(FILE *out, const char *text)
{
  for (; *text; text++) switch (*text) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    default: putc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
}

static hg_status finish(FILE *out)
{
  fputs("</svg>\n", out);
  return ferror(out) ? hg_fail(HG_IO, "drawing: %s", strerror(errno)) : HG_OK;
}

static void begin(FILE *out, double width, double height, const char *title)
{
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
          "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" "
          "font-size=\"%.1f\">",
          width, height, fmax(7, fmin(14, 1.75 * width / (double)(strlen(title) + 1))));
  write_text(out, title);
  fputs("</text>\n", out);
}

/* Time to the right. */
typedef struct axis {
  double start, scale;
} axis;

static double place(const axis *a, double time)
{
  return LEFT + (time - a->start) * a->scale;
}

static void draw_axis(FILE *out, double span, const axis *a, double bottom)
{
  double step = pow(10, floor(log10(span / 4)));
  while (span / step > 10) step *= span / step > 25 ? 5 : 2;
  bool micro = span < 2e-3, milli = span < 2;
  for (double at = 0; at <= span * 1.0001; at += step)
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"#ccc\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%.4g%s</text>\n",
            place(a, at), TOP - 4, place(a, at), bottom, place(a, at), TOP - 8,
            at * (micro   ? 1e6
                  : milli ? 1e3
                          : 1),
            at > 0  ? ""
            : micro ? " us"
            : milli ? " ms"
                    : " s");
}

/* A bar under construction: tasks of one kind too close together to be told apart. */
typedef struct bar {
  double x0, x1;
  int kind;
  int64_t task, count;
} bar;

static void flush_bar(FILE *out, const hg_trace *t, const bar *b, double y)
{
  if (b->count == 0) return;
  fprintf(out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"", b->x0, y,
          fmax(b->x1 - b->x0, .1), BAR, t->kind[b->kind].colour);
  if (b->x1 - b->x0 > 2) fputs(" stroke=\"white\" stroke-width=\".4\"", out);
  const hg_trace_task *k = &t->task[b->task];
  fputs("><title>", out);
  write_text(out, t->kind[b->kind].name);
  if (b->count > 1) {
    fprintf(out, ", %" PRId64 " tasks", b->count);
  } else {
    if (k->tiles) {
      const int64_t *at = t->tile[t->written[k->first_tile]].at;
      fprintf(out, " at %" PRId64 ",%" PRId64 ",%" PRId64, at[0], at[1], at[2]);
    }
    if (k->iteration >= 0) fprintf(out, ", iteration %" PRId64, k->iteration);
    fprintf(out, ", %.4g ms from %.6g ms", 1e3 * (k->end - k->start), 1e3 * k->start);
  }
  fputs("</title></rect>\n", out);
}

static void draw_tasks(FILE *out, const hg_trace *t, const axis *a, const int64_t *order, int64_t count, double y)
{
  bar b = {.count = 0};
  for (int64_t i = 0; i < count; i++) {
    const hg_trace_task *k = &t->task[order[i]];
    double x0 = place(a, k->start), x1 = place(a, k->end);
    if (b.count && b.kind == k->kind && x0 - b.x1 < NARROW && x1 - b.x0 < 1) {
      b.x1 = fmax(b.x1, x1);
      b.count++;
      continue;
    }
    flush_bar(out, t, &b, y);
    b = (bar){x0, x1, k->kind, order[i], 1};
  }
  flush_bar(out, t, &b, y);
}

/* Transfers and overhead, as a strip below the tasks. */
static void draw_states(FILE *out, const hg_trace *t, const axis *a, double top)
{
  static const char *const colour[] = {"#e7298a", "#7f7f7f"};
  for (int64_t i = 0; i < t->intervals; i++) {
    const hg_trace_interval *v = &t->interval[i];
    double start = fmax(v->start, t->start), end = fmin(v->end, t->end);
    if ((end - start) * a->scale < NARROW) continue;
    fprintf(out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>\n", place(a, start),
            top + v->worker * ROW + BAR, (end - start) * a->scale, STRIP, colour[v->state]);
  }
}

static int first_worker(const hg_trace *t, int rank)
{
  int w = 0;
  while (w < t->workers - 1 && t->worker[w].rank != rank) w++;
  return w;
}

/* Messages from rank to rank; of many, every so many-th. */
static void draw_messages(FILE *out, const hg_trace *t, const axis *a)
{
  int64_t every = 1, seen = 0;
  for (int64_t i = 0; i < t->copies; i++) seen += t->copy[i].network;
  every += seen / ARROWS;
  seen = 0;
  for (int64_t i = 0; i < t->copies; i++) {
    const hg_trace_copy *c = &t->copy[i];
    if (!c->network || c->end < t->start || c->start > t->end || seen++ % every) continue;
    fprintf(out,
            "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"black\" stroke-width=\".6\" "
            "stroke-opacity=\".6\"><title>%.0f bytes from rank %d to %d</title></line>\n",
            place(a, fmax(c->start, t->start)), TOP + first_worker(t, c->from) * ROW + BAR / 2,
            place(a, fmin(c->end, t->end)), TOP + first_worker(t, c->to) * ROW + BAR / 2, c->bytes, c->from, c->to);
  }
}

static void draw_legend(FILE *out, const hg_trace *t, double y)
{
  double x = LEFT;
  for (int i = 0; i < t->kinds + 2; i++) {
    const char *name = i < t->kinds ? t->kind[i].name : i == t->kinds ? "transfer" : "overhead";
    unsigned colour = i < t->kinds ? t->kind[i].colour : i == t->kinds ? 0xe7298a : 0x7f7f7f;
    fprintf(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\" fill=\"#%06x\"/><text x=\"%.0f\" y=\"%.0f\">",
            x, y, colour, x + 14, y + 9);
    write_text(out, name);
    fputs("</text>\n", out);
    x += 30 + 6.4 * (double)strlen(name);
    if (x > LEFT + WIDTH - 120) x = LEFT, y += 14;
  }
}

hg_status hg_trace_draw_gantt(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  int64_t *order, *first;
  char title[400];
  const double bottom = TOP + t->workers * ROW, span = t->end > t->start ? t->end - t->start : 1e-9;
  const axis a = {t->start, WIDTH / span};
  HG_TRY(hg_trace_by_worker(t, &order, &first));
  snprintf(title, sizeof title, "%.280s: %.4g s, imbalance %.3f", t->title, s->seconds, s->imbalance);
  begin(out, LEFT + WIDTH + 20, bottom + LEGEND + 14 * (t->kinds / 5 + 1), title);
  draw_axis(out, span, &a, bottom);
  for (int w = 0; w < t->workers; w++) {
    double y = TOP + w * ROW;
    fprintf(out, "<rect x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#f3f3f3\"/><text x=\"8\" y=\"%.0f\">",
            LEFT, y, WIDTH, BAR, y + 13);
    if (t->ranks > 1) fprintf(out, "%d:", t->worker[w].rank);
    write_text(out, t->worker[w].name);
    fprintf(out, " %.0f%%</text>\n", 100 * s->worker[w].busy / span);
    draw_tasks(out, t, &a, order + first[w], first[w + 1] - first[w], y);
  }
  draw_states(out, t, &a, TOP);
  draw_messages(out, t, &a);
  draw_legend(out, t, bottom + 8);
  free(order);
  free(first);
  return finish(out);
}

/* Colours that differ for neighbouring numbers: the hue advances by the golden ratio. */
static void worker_colour(int w, char out[40])
{
  double hue = fmod(.58 + w * .61803398875, 1) * 360;
  snprintf(out, 40, "hsl(%.0f,%d%%,%d%%)", hue, w % 3 == 1 ? 75 : 50, 55 + 9 * (w % 3));
}

static void draw_tile(FILE *out, const hg_trace *t, const hg_trace_tile *tile, const double *seconds, double scale)
{
  double sum = 0, x = 8 + (double)tile->at[0] * scale, y = TOP + (double)tile->at[1] * scale;
  double w = (double)tile->extent[0] * scale, h = (double)tile->extent[1] * scale;
  char colour[40];
  for (int i = 0; i < t->workers; i++) sum += seconds[i];
  if (sum <= 0) return;
  for (int i = 0; i < t->workers; i++) {
    if (seconds[i] <= 0) continue;
    double part = w * seconds[i] / sum;
    worker_colour(i, colour);
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, part, h, colour);
    x += part;
  }
  fprintf(out,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"white\" "
          "stroke-width=\"%.2f\"><title>%" PRId64 ",%" PRId64 ": %.4g s</title></rect>\n",
          x - w, y, w, h, fmin(1, fmin(w, h) / 8), tile->at[0], tile->at[1], sum);
}

hg_status hg_trace_draw_map(FILE *out, const hg_trace *t, const hg_trace_summary *s)
{
  double *seconds, width = 0, height = 0;
  char title[400];
  for (int64_t i = 0; i < t->tiles; i++) {
    width = fmax(width, (double)(t->tile[i].at[0] + t->tile[i].extent[0]));
    height = fmax(height, (double)(t->tile[i].at[1] + t->tile[i].extent[1]));
  }
  if (t->written_count == 0) return hg_fail(HG_INVALID, "%s: no task wrote to a tile with coordinates", t->title);
  HG_TRY(hg_trace_tile_times(t, &seconds));
  const double scale = SIDE / fmax(width, height), bottom = TOP + height * scale;
  snprintf(title, sizeof title, "%.280s: who wrote which tile", t->title);
  begin(out, SIDE + 16, bottom + 24 + 14 * ((t->workers + 5) / 6), title);
  for (int64_t i = 0; i < t->tiles; i++)
    if (t->tile[i].at[2] == t->tile[0].at[2]) draw_tile(out, t, &t->tile[i], seconds + i * t->workers, scale);
  for (int w = 0; w < t->workers; w++) {
    char colour[40];
    double x = 8 + w % 6 * 120, y = bottom + 10 + w / 6 * 14;
    worker_colour(w, colour);
    fprintf(out,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%.0f\" y=\"%.0f\">%d:", x, y,
            colour, x + 14, y + 9, t->worker[w].rank);
    write_text(out, t->worker[w].name);
    fprintf(out, " %.0f%%</text>\n", s->seconds > 0 ? 100 * s->worker[w].busy / s->seconds : 0);
  }
  free(seconds);
  return finish(out);
}
