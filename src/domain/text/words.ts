/** Words of texts, with the numbers that count them. */

/** "1 alert", "3 alerts", "1,200 alerts". */
export function counted(count: number, singular: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural(singular)}`
}

/** "alert" -> "alerts", "search" -> "searches", "entry" -> "entries". */
export const plural = (singular: string): string =>
  /[^aeiou]y$/.test(singular)
    ? `${singular.slice(0, -1)}ies`
    : `${singular}${/(?:ch|sh|s|x)$/.test(singular) ? 'es' : 's'}`

/** "alert" -> "Alert". */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "alert" and "Latency" -> "Alert Latency"; the noun is not repeated before a name that begins with it, as "Alert on Orders". */
export function titled(noun: string, name: string): string {
  const start = `${noun} `
  return name.toLowerCase().startsWith(start.toLowerCase()) ? name : capitalized(`${start}${name}`.trim())
}

/** A title inside of a sentence: "Replicas" -> "replicas", while "CPU" and "MySQL" stay. */
export function inSentence(title: string): string {
  return /^[A-Z][a-z]+\b/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
}
