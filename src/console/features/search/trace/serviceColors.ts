import { colorVariable, hueCount, semanticIndex } from '#console/ui/series/palette.ts'

/** One color for each service, in the order in which they appear; the eleventh and further ones are neutral. */
export function serviceColors(services: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(services)]
  const colorAt = (at: number) => colorVariable(at < hueCount ? at : semanticIndex('neutral'))
  return new Map(distinct.map((service, at) => [service, `var(${colorAt(at)})`]))
}

export const errorColor = `var(${colorVariable(semanticIndex('error'))})`
