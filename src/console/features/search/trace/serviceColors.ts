import { colorVariable, hueCount, semanticIndex } from '#console/ui/series/palette.ts'

/** One color for each service, in the order in which they appear. */
export function serviceColors(services: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(services)]
  // Neighbours of the palette are alike: three steps apart they are not.
  return new Map(distinct.map((service, at) => [service, `var(${colorVariable((at * 3 + 7) % hueCount)})`]))
}

export const errorColor = `var(${colorVariable(semanticIndex('error'))})`
