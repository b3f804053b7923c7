/** The group of an alert from its key, such as `service:checkout, region:eu`. */
import { withoutQuotes } from '#domain/alerting/tally.ts'

/**
 * Names and values; null for `name IS NULL`. A value in quotes may contain anything, others `:`, and `, ` as long as no
 * `name:` follows it.
 */
export function groupOfKey(key: string): Record<string, string | null> {
  const parts = key.match(/[^\s:,]+:"(?:[^"\\]|\\.)*"(?=, |$)|.+?(?=, [^\s:,]+(?::| IS NULL(?:, |$))|$)/gs) ?? []
  return Object.fromEntries(
    parts.map((text) => {
      const part = text.replace(/^, /, '')
      const [, absent] = /^([^:]+) IS NULL$/.exec(part) ?? []
      if (absent !== undefined) return [absent, null]
      const colon = part.indexOf(':')
      return colon < 0 ? ['group', part] : [part.slice(0, colon), withoutQuotes(part.slice(colon + 1))]
    }),
  )
}
