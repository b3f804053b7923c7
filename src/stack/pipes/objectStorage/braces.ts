/** The braces of an address of files: `{a,b}` stands for two names, `{1..20}` for 20, and both after each other for 40. */
import { formatValue } from '#domain/charts/units.ts'
import { refuse } from '../../refusal.ts'

/** Names that an address may stand for. The engine keeps all of them in memory, outside of its limits. */
export const maxNames = 10_000

/**
 * @param address as the engine reads it, so decoded where the engine decodes it
 * @throws Refusal for an address that stands for more names than fit into memory
 */
export function refuseManyNames(field: string, address: string): void {
  if (namesOf(address) <= maxNames) return
  const most = formatValue(maxNames)
  throw refuse(`${field}: its braces stand for more than ${most} names. Use an asterisk, or several data pipes`)
}

/** How many names an address stands for. Asterisks count as one: what they match is there. */
export function namesOf(address: string): number {
  /** For each open brace: the number of names before it, and of its alternatives so far. */
  const open: { before: number; alternatives: number }[] = []
  let names = 1
  for (let at = 0; at < address.length; at++) {
    const character = address[at]
    const inner = open.at(-1)
    if (character === '{') {
      open.push({ before: names, alternatives: 0 })
      names = 1
    } else if (character === ',' && inner) {
      inner.alternatives += names
      names = 1
    } else if (character === '}' && inner) {
      open.pop()
      names = inner.before * (inner.alternatives + names * rangeBefore(address, at))
    }
  }
  // One that is not closed is part of a name.
  return open.reduceRight((sum, { before, alternatives }) => before * (alternatives + sum), names)
}

/** The numbers of a range such as `{1..20}` that ends at a place; 1 if there is none. */
function rangeBefore(address: string, end: number): number {
  const last = digitsBefore(address, end)
  const first = address.endsWith('..', last.from) ? digitsBefore(address, last.from - 2) : null
  if (!first || last.from === end || first.from === last.from - 2 || address[first.from - 1] !== '{') return 1
  const difference = last.number - first.number
  return Number(difference < 0n ? -difference : difference) + 1
}

/** The number that ends at a place, and where it begins. The engine's numbers have 64 bits, and it drops those beyond. */
function digitsBefore(address: string, end: number): { from: number; number: bigint } {
  let from = end
  while (isDigit(address[from - 1])) from--
  let number = 0n
  for (let at = from; at < end; at++) number = BigInt.asUintN(64, number * 10n + BigInt(address[at] ?? 0))
  return { from, number }
}

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9'
