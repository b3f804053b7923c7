/** The buckets of each type of histogram, as cells `(upper, lower, count)`. */

/** Expressions over the buckets of one type. */
export interface Shape {
  /** The columns of a point, as a tuple; empty if the type has no buckets. */
  point: string
  /** Equal for points whose buckets can be compared. */
  layout: string
  /** The scale at which all of some points can be compared. */
  scale(points: string): string
  /** Cells of `point` at a scale; with `-` they are subtracted. */
  cells(point: string, scale: string, sign: '' | '-'): string
  /** Whether a bucket of `point` has less than that of `before`. */
  fell(point: string, before: string): string
}

/** Summaries. */
export const withoutBuckets: Shape = {
  point: '',
  layout: '0',
  scale: () => '0',
  cells: () => '[]',
  fell: () => 'false',
}

/**
 * The bucket below the first bound starts at zero, or at the bound if that is negative; the one above the last has no
 * width. Without bounds there are no cells.
 */
export const explicitShape: Shape = {
  point: '(BucketCounts, ExplicitBounds)',
  layout: 'cityHash64(ExplicitBounds)',
  scale: () => '0',
  cells: (point, _, sign) => `arrayMap((count, at) -> (
      ${point}.2[least(at, length(${point}.2))],
      if(at = 1, least(${point}.2[1], 0), ${point}.2[at - 1]),
      ${sign}toFloat64(count)), if(empty(${point}.2), [], ${point}.1), if(empty(${point}.2), [], arrayEnumerate(${point}.1)))`,
  fell: (point, before) =>
    `arrayExists((count, earlier) -> count < earlier, ${point}.1, arrayResize(${before}.1, length(${point}.1)))`,
}

/** Bucket `at` of scale s is between `2^(at / 2^s)` and `2^((at + 1) / 2^s)`; a coarser scale joins neighbors. */
export const exponentialShape: Shape = {
  point: '(Scale, ZeroCount, PositiveOffset, PositiveBucketCounts, NegativeOffset, NegativeBucketCounts)',
  // Buckets of any scale can be compared at the coarser one.
  layout: '0',
  scale: (points) => `arrayMin(arrayMap(one -> one.1, ${points}))`,
  cells: (point, scale, sign) => {
    const bound = (offset: string, more: 0 | 1) =>
      `exp2((${indexSql(point, scale, offset)} + ${more}) * exp2(-${scale}))`
    const side = (counts: string, upper: string, lower: string) =>
      `arrayMap((count, at) -> (${upper}, ${lower}, ${sign}toFloat64(count)), ${counts}, arrayEnumerate(${counts}))`
    const [up, down] = [`${point}.3`, `${point}.5`]
    return `arrayConcat(
      ${side(`${point}.4`, bound(up, 1), bound(up, 0))},
      [(toFloat64(0), toFloat64(0), ${sign}toFloat64(${point}.2))],
      ${side(`${point}.6`, `-${bound(down, 0)}`, `-${bound(down, 1)}`)})`
  },
  fell: (point, before) => {
    const scale = `least(${point}.1, ${before}.1)`
    const indexes = (point: string, offset: 3 | 5, counts: 4 | 6) =>
      `arrayMap(at -> ${indexSql(point, scale, `${point}.${offset}`)}, arrayEnumerate(${point}.${counts}))`
    const side = (offset: 3 | 5, counts: 4 | 6) => `arrayExists(change -> change < 0, arrayReduce('sumMap',
        [arrayConcat(${indexes(point, offset, counts)}, ${indexes(before, offset, counts)})],
        [arrayConcat(arrayMap(count -> toFloat64(count), ${point}.${counts}), arrayMap(count -> -toFloat64(count), ${before}.${counts}))]).2)`
    return `(${point}.2 < ${before}.2 OR ${side(3, 4)} OR ${side(5, 6)})`
  },
}

/** The index of bucket `at`, counted from 1, of a point at a coarser scale. */
const indexSql = (point: string, scale: string, offset: string): string =>
  `floor((${offset} + at - 1) / exp2(${point}.1 - ${scale}))`
