/** The group of an alert from its key, such as `service:checkout, region:eu`. */

/** Names and values. A value may contain `:`, and `, ` as long as no `name:` follows it. */
export function groupOfKey(key: string): Record<string, string> {
  const parts = key.split(/, (?=[^\s:,]+:)/)
  return Object.fromEntries(
    parts.map((part) => {
      const colon = part.indexOf(':')
      return colon < 0 ? ['group', part] : [part.slice(0, colon), part.slice(colon + 1)]
    }),
  )
}
