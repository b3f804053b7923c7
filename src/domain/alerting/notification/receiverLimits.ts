/**
 * Fits bodies of generic webhooks into the limits of well-known receivers, which refuse longer ones for good. The format
 * of the body says whose it is.
 */
import { isPlainObject } from '../../json/plainObject.ts'
import { cutMarkup } from './cutText.ts'

/** A text within a body that may be shortened. */
interface Place {
  holder: Record<string, unknown>
  name: string
  most: number
}

/** The body with its texts shortened where they are too long for its receiver; as it is if nothing is. */
export function fitted(body: string): string {
  const written = parsed(body)
  if (written === undefined) return body
  const before = JSON.stringify(written)
  const fit = [fitDiscord, fitTeams, fitPagerDuty].find((candidate) => candidate(written))
  const after = JSON.stringify(written)
  return fit === undefined || after === before ? body : after
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(body))
  } catch {
    return undefined
  }
}

const objectOf = (value: unknown): Record<string, unknown> | undefined => (isPlainObject(value) ? value : undefined)

const objectsOf = (value: unknown): Record<string, unknown>[] =>
  (Array.isArray(value) ? value : []).map(objectOf).filter((field) => field !== undefined)

/** The length of all texts of the embeds of a message. */
const maxDiscord = 6000

function fitDiscord(body: Record<string, unknown>): boolean {
  const embeds = objectsOf(body['embeds'])
  if (embeds.length === 0) return false
  const places = embeds.flatMap((embed): Place[] => [
    { holder: embed, name: 'description', most: 4096 },
    { holder: embed, name: 'title', most: 256 },
    ...objectsOf(embed['fields']).flatMap((field): Place[] => [
      { holder: field, name: 'value', most: 1024 },
      { holder: field, name: 'name', most: 256 },
    ]),
    ...placesIn(embed['footer'], 'text', 2048),
    ...placesIn(embed['author'], 'name', 256),
  ])
  shortenEach([...places, { holder: body, name: 'content', most: 2000 }])
  shortenLongest(places, () => places.reduce((sum, place) => sum + textAt(place).length, 0) - maxDiscord)
  return true
}

/** Bytes of a message, of the 28 KB that Teams documents as about its limit. */
const maxTeams = 27_000

function fitTeams(body: Record<string, unknown>): boolean {
  const cards = objectsOf(body['attachments']).filter(
    ({ contentType }) => contentType === 'application/vnd.microsoft.card.adaptive',
  )
  if (cards.length === 0) return false
  const places: Place[] = []
  JSON.stringify(cards, function (this: Record<string, unknown>, name, value: unknown) {
    if ((name === 'text' || name === 'value') && typeof value === 'string')
      places.push({ holder: this, name, most: Infinity })
    return value
  })
  shortenLongest(places, () => bytesOf(body) - maxTeams)
  return true
}

/** Bytes of an event. */
const maxPagerDuty = 500_000

function fitPagerDuty(body: Record<string, unknown>): boolean {
  const payload = objectOf(body['payload'])
  if (!payload || typeof body['routing_key'] !== 'string') return false
  shortenEach([{ holder: payload, name: 'summary', most: 1024 }])
  const details = objectOf(payload['custom_details']) ?? {}
  const places = Object.keys(details).map((name): Place => ({ holder: details, name, most: Infinity }))
  shortenLongest(places, () => bytesOf(body) - maxPagerDuty)
  return true
}

function placesIn(holder: unknown, name: string, most: number): Place[] {
  const object = objectOf(holder)
  return object ? [{ holder: object, name, most }] : []
}

function textAt({ holder, name }: Place): string {
  const text = holder[name]
  return typeof text === 'string' ? text : ''
}

/** Bytes of JSON in UTF-8. */
function bytesOf(value: unknown): number {
  let bytes = 0
  for (const character of JSON.stringify(value)) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4
  }
  return bytes
}

function shortenEach(places: readonly Place[]): void {
  for (const place of places) {
    const text = textAt(place)
    if (text.length > place.most) place.holder[place.name] = cutMarkup(text, place.most)
  }
}

/** Shortens the longest text, again and again, until nothing is in excess or nothing is left to shorten. */
function shortenLongest(places: readonly Place[], excess: () => number): void {
  for (let over = excess(); over > 0; over = excess()) {
    const longest = places.toSorted((a, b) => textAt(b).length - textAt(a).length)[0]
    const text = longest ? textAt(longest) : ''
    if (!longest || text.length < 2) return
    // A character may take several bytes: at least a tenth goes, and no more than is in excess.
    const fewer = Math.max(1, Math.min(over, Math.ceil(text.length / 10)))
    longest.holder[longest.name] = cutMarkup(text, text.length - fewer)
  }
}
