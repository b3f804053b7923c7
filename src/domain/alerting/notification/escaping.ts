/** Writes data into texts that a receiver reads as markup, so that nothing of it is markup. */

/**
 * How the receiver reads texts: `slack` as its own markup, `discord` and `teams` as their Markdown, of which only the
 * first has code blocks.
 */
export type Escaping = 'none' | 'slack' | 'discord' | 'teams'

/** How the receiver of a webhook reads its texts. A generic webhook has the format of its body. */
export function escapingOf(service: string, body: string | null | undefined): Escaping {
  if (service === 'slack') return 'slack'
  if (service !== 'generic' || !body) return 'none'
  if (body.includes('application/vnd.microsoft.card.adaptive')) return 'teams'
  return /"embeds"\s*:/.test(body) ? 'discord' : 'none'
}

/** Data as a part of a text. */
export function escape(text: string, escaping: Escaping): string {
  switch (escaping) {
    case 'none':
      return text
    case 'slack':
      // A bracket would begin a link or notify a whole channel.
      return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    default:
      // Marks of links, emphasis, code, headings and quotes anywhere, those of lists at the start of a line.
      return text.replaceAll(/[\\`*_~|[\]()<>#]|[-+](?=\s)(?<=^[ \t]*.)|\.(?=\s)(?<=^[ \t]*\d+\.)/gm, String.raw`\$&`)
  }
}

/** Data in a code block, which markup does not reach where the receiver has code blocks. */
export function escapeCode(text: string, escaping: Escaping): string {
  return escaping === 'discord' ? text : escape(text, escaping)
}

/** The data of an escaped Markdown text. */
export function unescapeMarkdown(text: string): string {
  return text.replaceAll(/\\([\\`*_~|[\]()<>#+.-])/g, '$1')
}
