/** Fields of a request body that a schema dropped: nothing that a client sends may be lost without a word. */
import { isPlainObject } from '#domain/json/plainObject.ts'
import { InvalidInput } from '../refusal.ts'

/** The older form of a tile, which becomes its configuration. */
const olderForm: readonly string[] = ['series', 'asRatio']

/**
 * @param sent the body as it came
 * @param kept what the schema of its endpoint made of it
 * @throws InvalidInput with every field that has a value and is not kept, at any depth
 */
export function refuseUnsupportedFields(sent: unknown, kept: unknown): void {
  const issues = unsupportedIn(sent, kept, '').map(({ path, input }) => ({
    path,
    message: 'This field is not supported here, and would be lost',
    input,
  }))
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
}

interface UnsupportedField {
  path: string
  input: unknown
}

function unsupportedIn(sent: unknown, kept: unknown, path: string): UnsupportedField[] {
  if (Array.isArray(sent)) {
    // A list of another length was made anew, such as one without duplicates.
    if (!Array.isArray(kept) || kept.length !== sent.length) return []
    return sent.flatMap((item, at) => unsupportedIn(item, kept[at], `${path}${at}.`))
  }
  if (!isPlainObject(sent) || !isPlainObject(kept)) return []
  return Object.entries(sent).flatMap(([key, value]) => {
    const at = `${path}${key}`
    if (value == null || (sent['series'] != null && olderForm.includes(key))) return []
    return kept[key] === undefined ? [{ path: at, input: value }] : unsupportedIn(value, kept[key], `${at}.`)
  })
}
