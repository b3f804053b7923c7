/** The search terms of a condition, to highlight them in the rows. */
import type { Language } from '#console/charting/conditions/conditions.ts'
import { readCondition } from '#console/charting/conditions/readCondition.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import { foundTexts, type FoundText } from '#domain/query/filterTerms.ts'

export interface MatchedTerms {
  /** Terms that are searched in the body. */
  body: RegExp | null
  /** Values of single fields. */
  fields: ReadonlyMap<string, RegExp>
}

const nothing: MatchedTerms = { body: null, fields: new Map() }

/** Terms that are not excluded, of a condition in the field:value language. SQL has none. */
export function matchedTerms(where: string, language: Language): MatchedTerms {
  const filter = language === 'sql' ? null : readCondition(where)
  if (!filter) return nothing
  const texts = foundTexts(filter)
  const fields = new Set(texts.flatMap(({ field }) => field ?? []))
  const patternIn = (wanted: string | null) => patternOf(texts.filter(({ field }) => field === wanted))
  return {
    body: texts.some(({ field }) => field === null) ? patternIn(null) : null,
    fields: new Map([...fields].map((field) => [field, patternIn(field)])),
  }
}

/** The pattern for a column. */
export function patternFor({ body, fields }: MatchedTerms, expression: string, isBody: boolean): RegExp | null {
  return fields.get(fieldOf(expression) ?? '') ?? (isBody ? body : null)
}

function patternOf(texts: readonly FoundText[]): RegExp {
  const patterns = texts.map(({ parts }) =>
    parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*?'),
  )
  // With `u`, letters of all scripts are the same in either case.
  return new RegExp(`(${patterns.join('|')})`, 'giu')
}

/** A text in parts; every second one is a match. */
export const splitMatches = (text: string, pattern: RegExp): string[] => text.split(pattern)
