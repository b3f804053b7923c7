/**
 * Mentions in the message of an alert, such as `@webhook-oncall` or `@webhook-{{attributes.team}}`. They name further
 * webhooks and print as nothing. One inside a block counts only where the block is rendered.
 */

export interface Mention {
  /** Before the first hyphen: `webhook`. */
  type: string
  /** The id of a webhook, or the beginning of its name. */
  target: string
}

/** Characters for private use, which enclose a mention while the template is rendered. Data never has them. */
const [open, close] = ['\uE000', '\uE001']

/**
 * A mention is at the beginning or after white space or an expression, and may contain values. An expression is matched
 * first, because the `@` of `{{#each @root}}` begins no mention.
 */
const expressionOrMention = /(?<=^|\s|\}\})@((?:[a-zA-Z0-9.@_-]|\{\{\{?\s*[\w.[\]-]+\s*\}?\}\})+)|\{\{[\s\S]*?\}\}/g

/** The template with its mentions enclosed. */
export function withMarkedMentions(template: string): string {
  return unmarked(template).replaceAll(expressionOrMention, (found, mention?: string) =>
    mention === undefined ? found : `${open}${mention}${close}`,
  )
}

/** Separates a rendered text from its mentions. */
export function takeMentions(text: string): { text: string; mentions: Mention[] } {
  const found = [...text.matchAll(/\uE000([^\uE001]*)\uE001/g)].map(([, mention = '']) => {
    const at = mention.indexOf('-')
    return at < 0 ? { type: mention, target: '' } : { type: mention.slice(0, at), target: mention.slice(at + 1) }
  })
  const distinct = new Map(found.map((mention) => [`${mention.type}-${mention.target}`, mention]))
  return { text: text.replaceAll(/\uE000[^\uE001]*\uE001/g, ''), mentions: [...distinct.values()] }
}

/** A text without the characters that enclose mentions. */
export function unmarked(text: string): string {
  return text.replaceAll(/[\uE000\uE001]/g, '')
}
