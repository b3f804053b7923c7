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

type Program = hbs.AST.Program
type Statement = hbs.AST.Statement

/** Characters for private use, which enclose a mention while the template is rendered. Data never has them. */
const [open, close] = ['\uE000', '\uE001']

/** A mention begins at the start of a text or after white space. Expressions end a text. */
const mentionStart = /(?<=^|\s)@([a-zA-Z0-9.@_-]*)/g
const mentionRest = /^[a-zA-Z0-9.@_-]*/
const simplePath = /^[\w.[\]-]+$/

/**
 * Encloses the mentions in the texts of a parsed template. Only texts are searched, so that the `@` of an expression, as
 * in `{{#each @root}}`, is no mention.
 * @returns the number of mentions
 */
export function markMentions(program: Program | undefined): number {
  if (!program) return 0
  let count = 0
  let isOpen = false
  const marked: Statement[] = []
  program.body.forEach((statement, at) => {
    const next = program.body[at + 1]
    if (isContent(statement)) {
      const found = markText(statement.value, isOpen, isSimpleValue(next))
      statement.value = found.text
      isOpen = found.isOpen
      count += found.count
    }
    marked.push(statement)
    if (isBlock(statement)) count += markMentions(statement.program) + markMentions(statement.inverse)
    // A mention that ends with a value, before a block or at the end.
    if (isOpen && isSimpleValue(statement) && !isSimpleValue(next) && !(next && isContent(next))) {
      marked.push(contentOf(close, statement))
      isOpen = false
    }
  })
  program.body = marked
  return count
}

/**
 * @param isOpen whether a mention that began before continues in the text
 * @param continues whether a value follows, which may be part of a mention at the end of the text
 */
function markText(text: string, isOpen: boolean, continues: boolean): { text: string; isOpen: boolean; count: number } {
  const rest = isOpen ? (mentionRest.exec(text)?.[0] ?? '') : ''
  if (isOpen && rest === text && continues) return { text, isOpen, count: 0 }
  let count = 0
  let leftOpen = false
  const after = text.slice(rest.length).replaceAll(mentionStart, (found, name: string, at: number, all: string) => {
    const reachesValue = continues && at + found.length === all.length
    if (name === '' && !reachesValue) return found
    count++
    leftOpen = reachesValue
    return `${open}${name}${reachesValue ? '' : close}`
  })
  return { text: `${rest}${isOpen ? close : ''}${after}`, isOpen: leftOpen, count }
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

function isContent(statement: Statement): statement is hbs.AST.ContentStatement {
  return statement.type === 'ContentStatement'
}

function isBlock(statement: Statement): statement is hbs.AST.BlockStatement {
  return statement.type === 'BlockStatement'
}

/** `{{name}}` without arguments, which may be part of a mention. */
function isSimpleValue(statement: Statement | undefined): boolean {
  if (statement?.type !== 'MustacheStatement') return false
  const { path, params } = statement as hbs.AST.MustacheStatement // its type says so
  return params.length === 0 && 'original' in path && simplePath.test(String(path.original))
}

function contentOf(value: string, { loc }: Statement): Statement {
  const content: hbs.AST.ContentStatement = {
    type: 'ContentStatement',
    value,
    original: { open: false, close: false },
    loc,
  }
  return content
}
