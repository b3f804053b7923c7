/** How different two distributions are, and how different two samples of the same one are by chance. */
import { sum } from 'd3-array'

/**
 * The Jensen-Shannon divergence in bits: 0 for the same distribution, 1 where no value is in both. The order of the two does not
 * matter. 0 if one of them is empty.
 * @param p weights of the values, which need not add up to 1
 * @param q weights of the same values in the same order
 */
export function jensenShannon(p: readonly number[], q: readonly number[]): number {
  const [allP, allQ] = [sum(p), sum(q)]
  if (allP <= 0 || allQ <= 0) return 0
  let bits = 0
  for (const [at, weight] of p.entries()) {
    const [a, b] = [weight / allP, (q[at] ?? 0) / allQ]
    const middle = (a + b) / 2
    if (a > 0) bits += (a / 2) * Math.log2(a / middle)
    if (b > 0) bits += (b / 2) * Math.log2(b / middle)
  }
  return Math.min(1, Math.max(0, bits))
}

/** The quantile of the normal distribution that 1 of 1,000 values is above. */
const oneOfThousand = 3.09

/**
 * The divergence in bits that two samples of one distribution stay below in 999 of 1,000 cases. Eight times the divergence in
 * nats, by the sizes of the samples, is distributed as chi-squared; its quantile is that of Wilson and Hilferty.
 * @param values number of different values
 * @param inside number of rows of one sample
 * @param outside number of rows of the other
 */
export function chanceDivergence(values: number, inside: number, outside: number): number {
  const freedom = values - 1
  if (freedom <= 0) return 0
  if (inside <= 0 || outside <= 0) return 1
  const spread = 2 / (9 * freedom)
  const quantile = freedom * (1 - spread + oneOfThousand * Math.sqrt(spread)) ** 3
  return Math.min(1, (quantile * (1 / inside + 1 / outside)) / (8 * Math.LN2))
}
