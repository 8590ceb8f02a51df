/* SPDX-License-Identifier: MIT */
/* Classes of applications by operations and memory accesses (thesis 7.3.2). Their numbers dominate the time of a
 * kernel, so a new application uses the speed tables of the nearest known one.
 *
 * Distance is by operations per access: this ratio decides whether arithmetic or memory limits a processor, and so the
 * ratio of different processors' speeds; the number of steps per task changes both numbers alike. Example: a product
 * of 200 x 200 tiles makes 2 * 200 operations for 4 accesses per element, a ratio of 100; heat has 3.5, elimination
 * 256: elimination is nearest. */
#ifndef HG_SPEED_KERNEL_CLASSES_H
#define HG_SPEED_KERNEL_CLASSES_H

/** Needs of a table's kernel per cell and step. */
typedef struct hg_class {
  const char *app;   /**< as in names of tables */
  double operations; /**< floating-point operations, > 0; a fused multiply-add counts as two */
  double accesses;   /**< values read from and written to memory, > 0 */
} hg_class;

enum { HG_CLASSES = 4 };

/** All classes, the nearest first; a class whose name begins the application's name is nearer than all others.
 * @param name  of the application, or NULL
 * @param operations, accesses  per point and step; if one of them is not > 0, nothing is known and heat is nearest
 * @param[out] order  [HG_CLASSES] */
void hg_classes_by_distance(const char *name, double operations, double accesses, const hg_class **order);
#endif
