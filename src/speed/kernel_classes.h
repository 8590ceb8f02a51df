/* SPDX-License-Identifier: MIT */
/* Classes of applications, told apart by operations and memory accesses (thesis 7.3.2): what dominates the time of a
 * kernel is how many of each it needs, so a new application takes the speed tables of the known one that is nearest.
 *
 * Nearest is by operations per access: that decides whether arithmetic or memory limits a processor, and so how unlike
 * processors compare; how many steps a task makes changes both numbers alike. Example: a product of 200 x 200 tiles
 * makes 2 * 200 operations for 4 accesses an element, 100 each; heat makes 3.5, elimination 256: elimination it is. */
#ifndef HG_SPEED_KERNEL_CLASSES_H
#define HG_SPEED_KERNEL_CLASSES_H

/** What a table's kernel needs for a cell and step. */
typedef struct hg_class {
  const char *app;   /**< as in names of tables */
  double operations; /**< of floating point, > 0; fused multiply-adds count as two */
  double accesses;   /**< values read from and written to memory, > 0 */
} hg_class;

enum { HG_CLASSES = 4 };

/** All classes, the nearest first; one whose name the application's begins with is nearer than all others.
 * @param name  of the application, or NULL
 * @param operations, accesses  per point, any step; where one of them is not > 0, nothing is known and heat is nearest
 * @param[out] order  [HG_CLASSES] */
void hg_classes_by_distance(const char *name, double operations, double accesses, const hg_class **order);
#endif
