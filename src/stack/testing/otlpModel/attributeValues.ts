/** Converts attribute values to the text of Map columns. */
import { has, type Message } from '../../collector/otlp/messages.ts'

/** Text is unchanged; everything else becomes its JSON text (bytes as base64), and nothing becomes empty text. */
export function valueText(value: Message<'AnyValue'> | null): string {
  if (value === null) return ''
  if (has(value, 'stringValue')) return value.stringValue
  if (has(value, 'intValue')) return value.intValue.toString()
  if (has(value, 'boolValue')) return value.boolValue ? 'true' : 'false'
  if (has(value, 'doubleValue')) return String(value.doubleValue)
  if (has(value, 'bytesValue')) return Buffer.from(value.bytesValue).toString('base64')
  return value.arrayValue || value.kvlistValue ? jsonText(value) : ''
}

/** Attributes as a map from key to text. The last value of a repeated key is kept. */
export function attributeMap(attributes: readonly Message<'KeyValue'>[]): Record<string, string> {
  const map: Record<string, string> = {}
  for (const { key, value } of attributes) setOwn(map, key, valueText(value))
  return map
}

/** JSON is built as text, because a 64-bit integer would lose digits as a number. */
function jsonText(value: Message<'AnyValue'> | null): string {
  if (value === null) return 'null'
  if (value.arrayValue) return `[${value.arrayValue.values.map(jsonText).join(',')}]`
  if (value.kvlistValue) {
    const { values } = value.kvlistValue
    const keys = [...new Set(values.map(({ key }) => key))].toSorted()
    const textOf = (wanted: string) => jsonText(values.findLast(({ key }) => key === wanted)?.value ?? null)
    return `{${keys.map((key) => `${JSON.stringify(key)}:${textOf(key)}`).join(',')}}`
  }
  if (has(value, 'intValue') || has(value, 'boolValue')) return valueText(value)
  // JSON has no number for NaN and the infinities: as text they are at least legible.
  if (has(value, 'doubleValue') && Number.isFinite(value.doubleValue)) return String(value.doubleValue)
  if (has(value, 'stringValue') || has(value, 'bytesValue') || has(value, 'doubleValue')) {
    return JSON.stringify(valueText(value))
  }
  return 'null'
}

function setOwn(map: Record<string, string>, key: string, text: string): void {
  // Assigning to this one key would set the prototype and store nothing.
  if (key === '__proto__') Object.defineProperty(map, key, { value: text, enumerable: true, configurable: true })
  else map[key] = text
}
