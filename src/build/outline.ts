/** Takes the markup of a prerendered page apart. */
import { createHash } from 'node:crypto'

/** The styles of MUI's components in their order, by the ID that emotion gave them. */
export type Rules = Map<string, string>

/** Markup as the numbers of its pieces: pages share most of them. */
export class Pieces {
  readonly #numbers = new Map<string, number>()

  numbersOf(html: string): number[] {
    return html.split(pieceStart).map((piece) => {
      const number = this.#numbers.get(piece) ?? this.#numbers.size
      this.#numbers.set(piece, number)
      return number
    })
  }

  get all(): string[] {
    return [...this.#numbers.keys()]
  }
}

const pieceStart = /(?=<(?:svg|a|button|main|tr|section)\b)|(?<=<\/svg>)/

export interface Outline {
  /** The title of the window. HTML, as the others. */
  title: string
  /** Without styles. `<!--connection-->` and `<!--writes-->` are where the two buttons belong. */
  html: string
  /** The numbers of its styles in `Rules`. */
  rules: number[]
  /** The button with the name of the connection. */
  connection: string
  /** The button that allows writes on a read-only connection. */
  writes: string
}

const style = /<style data-emotion="sc(-global)? ([^"]+)"[^>]*>(.*?)<\/style>/gs
const used = /\bsc-([a-z0-9]+)|data-style="(\w+)"/g
const attribute = / style="([^"]*)"/g
const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>' }
const connectionButton = /<button(?:(?!<\/button>).)*__CONNECTION_NAME__.*?<\/button>/s
const writesButton = /<button(?:(?!<\/button>).)*Allow writes.*?<\/button>/s
/** The announcement of the frame on arrival is the title of the window. */
const announcement = /(?<=<span[^>]* aria-live="polite"[^>]*>)[^<]*(?=<\/span>)/
const paletteButton = /(?=<button[^>]*aria-keyshortcuts="Control\+K)/

/** Adds the styles that are new to `rules`. */
export function outlineOf(markup: string, rules: Rules): Outline {
  const bare = markup.replace(style, (_, global: string | undefined, id: string, css: string) => {
    rules.set(global ? 'global' : id, css)
    return ''
  })
  // The policy of the document forbids style attributes.
  const plain = bare.replace(attribute, (_, text: string) => {
    const css = text.replaceAll(/&[\w#]+;/g, (entity) => entities[entity] ?? '')
    const id = createHash('sha256').update(css).digest('hex').slice(0, 8)
    rules.set(id, `#root [data-style="${id}"]{${css}}`)
    return ` data-style="${id}"`
  })
  const connection = connectionButton.exec(plain)?.[0] ?? ''
  const writes = writesButton.exec(plain)?.[0] ?? ''
  const title = announcement.exec(plain)?.[0] ?? ''
  const html = plain
    .replace(announcement, '')
    .replace(connection, connection && '<!--connection-->')
    .replace(writes, '')
    .replace(paletteButton, '<!--writes-->')
    .replaceAll(/<!--\/?\$-->|<!-- -->/g, '')
    // There is one for each width until the page is drawn.
    .replace(' id="main"', '')
  return { title, html, rules: rulesOf(html + connection + writes, rules), connection, writes }
}

/** Emotion writes a rule only with its first use among all pages, so the names of classes tell which ones are used. */
function rulesOf(html: string, rules: Rules): number[] {
  const names = new Set([...html.matchAll(used)].map(([, name, style]) => name ?? style))
  return [...rules.keys()].flatMap((id, at) =>
    names.has(id) || id === 'global' || id.startsWith('animation') ? at : [],
  )
}
