/** Parts of a JSON object in which each character stands for a byte, so that bytes and texts pass through unchanged. */

/** A text as JSON. */
export function jsonOf(text: string): string {
  return isAscii(text) ? JSON.stringify(text) : JSON.stringify(Buffer.from(text).toString('latin1'))
}

/** A number as JSON; what is no number as the text that the engine reads. */
export function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"'
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}
