/**
 * Single values within the body template of a webhook, such as a recipient. Only the value is replaced: the rest of the body
 * stays as it was written.
 */

/** One value of a body. */
export interface BodyPart {
  /** Its only group is the value, as JSON has it. A body that has it never, or more than once, is not changed. */
  pattern: RegExp
  /** The value as a person writes it; null if the body has more than the form can show. */
  read: (json: string) => string | null
  write: (text: string) => string
}

/** A text in quotes. */
export function textPart(before: string): BodyPart {
  return {
    pattern: new RegExp(String.raw`${before}"((?:[^"\\]|\\.)*)"`, 'd'),
    read: textOf,
    write: (text) => JSON.stringify(text).slice(1, -1),
  }
}

/** The key of PagerDuty. */
export const routingKeyPart = textPart(String.raw`"routing_key"\s*:\s*`)

/** Several texts in brackets, which a person separates by commas. `item` writes one of them. */
export function listPart(before: string, item: (json: string) => string, itemPattern: RegExp): BodyPart {
  return {
    pattern: new RegExp(String.raw`${before}\[([^\]]*)\]`, 'd'),
    read: (json) => {
      const items = json
        .split(/,(?=\s*["{])/)
        .flatMap((written) => (written.trim() === '' ? [] : [itemPattern.exec(written.trim())]))
      const texts = items.map((found) => (found?.[1] === undefined ? null : textOf(found[1])))
      return texts.includes(null) ? null : texts.join(', ')
    },
    write: (text) =>
      addressesOf(text)
        .map((address) => item(JSON.stringify(address)))
        .join(', '),
  }
}

/** The value of a part; null where the body has none that the form can change. */
export function partOf(body: string, { pattern, read }: BodyPart): string | null {
  const found = onlyMatch(body, pattern)
  return found ? read(body.slice(...found)) : null
}

/** The body with another value of a part. */
export function withPart(body: string, { pattern, write }: BodyPart, text: string): string {
  const found = onlyMatch(body, pattern)
  return found ? body.slice(0, found[0]) + write(text) + body.slice(found[1]) : body
}

/** The addresses of a list that is separated by commas. */
export function addressesOf(text: string): string[] {
  return text
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
}

function onlyMatch(body: string, pattern: RegExp): [start: number, end: number] | undefined {
  const first = pattern.exec(body)?.indices?.[1]
  if (!first) return undefined
  return pattern.test(body.slice(first[1])) ? undefined : first
}

function textOf(json: string): string | null {
  try {
    return String(JSON.parse(`"${json}"`))
  } catch {
    return null
  }
}
