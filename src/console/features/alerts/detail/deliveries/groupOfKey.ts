/** The group of an alert from its key, such as `service:checkout, region:eu`. */

/** Names and values; null for `name IS NULL`. A value may contain `:`, and `, ` as long as no `name:` follows it. */
export function groupOfKey(key: string): Record<string, string | null> {
  const parts = key.split(/, (?=[^\s:,]+(?::| IS NULL(?:, |$)))/)
  return Object.fromEntries(
    parts.map((part) => {
      const [, absent] = /^([^:]+) IS NULL$/.exec(part) ?? []
      if (absent !== undefined) return [absent, null]
      const colon = part.indexOf(':')
      return colon < 0 ? ['group', part] : [part.slice(0, colon), part.slice(colon + 1)]
    }),
  )
}
