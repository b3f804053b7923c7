/** The search terms of a condition, to highlight them in the rows. */
import type { Language } from '#console/telemetry/conditions.ts'
import { luceneField } from '#console/telemetry/conditions.ts'

export interface MatchedTerms {
  /** Terms that are searched in the body. */
  body: RegExp | null
  /** Values of single fields. */
  fields: ReadonlyMap<string, RegExp>
}

const nothing: MatchedTerms = { body: null, fields: new Map() }

const term = /(NOT\s+|-|!)?(?:([A-Za-z_][\w.]*):)?(?:"((?:[^"\\]|\\.)*)"|([^\s()":]+))/gi

/** Terms that are not excluded, of a condition in the field:value language. SQL has none. */
export function matchedTerms(where: string, language: Language): MatchedTerms {
  if (language === 'sql') return nothing
  const body: string[] = []
  const fields = new Map<string, string[]>()
  for (const [, excluded, field, quoted, word = ''] of where.matchAll(term)) {
    const text = quoted?.replace(/\\(.)/gs, '$1') ?? word.replace(/^\*|\*$/g, '')
    if (excluded || text === '' || /[[\]{}<>*]/.test(text) || (quoted === undefined && /^(and|or|not|to)$/i.test(text)))
      continue
    if (field === undefined) body.push(text)
    else fields.set(field, [...(fields.get(field) ?? []), text])
  }
  return { body: patternOf(body), fields: new Map([...fields].map(([field, texts]) => [field, patternOf(texts)!])) }
}

/** The pattern for a column. */
export function patternFor({ body, fields }: MatchedTerms, expression: string, isBody: boolean): RegExp | null {
  return fields.get(luceneField(expression) ?? '') ?? (isBody ? body : null)
}

function patternOf(texts: readonly string[]): RegExp | null {
  if (texts.length === 0) return null
  return new RegExp(`(${texts.map((text) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')})`, 'gi')
}

/** A text in parts; every second one is a match. */
export const splitMatches = (text: string, pattern: RegExp): string[] => text.split(pattern)
