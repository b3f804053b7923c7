/**
 * Handlebars templates of notifications. Anybody who may edit an alert or a webhook writes them, so a template reads only
 * the values that it is given, and nothing of this process: no prototypes, no log, no partials. Blocks are counted while
 * they are rendered, so that nested loops end early. Templates also run in a process of their own: see `node/process/workerProcess.ts`.
 */
import Handlebars from 'handlebars'
import { unescapeMarkdown, type Escaping, escape } from './escaping.ts'
import { markMentions, unmarked } from './mentions.ts'

/** A template that cannot be parsed or rendered. The message names the reason in one line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** The helper that escapes values. No template can call it by this name. */
const escapeHelper = 'escaped value'

/** How often the blocks of a template may be rendered in all. */
const maxSteps = 5_000
/** Characters that the blocks of a template may produce in all. */
const maxCharacters = 1_000_000

/** The output that the template being rendered has produced so far. Rendering is synchronous. */
let used = { steps: 0, characters: 0 }

const titles = environment()
const messages = environment()
messages.registerHelper('is_match', withLimits(isMatch))

/** Titles and webhook bodies have the helper `eq`. */
export function renderTitle(template: string, view: object, escaping: Escaping): string {
  return rendered(titles, template, view, escaping)
}

/** Messages have the helpers `eq` and `is_match`. Their mentions are enclosed: see `takeMentions`. */
export function renderMessage(template: string, view: object, escaping: Escaping): string {
  const text = rendered(messages, template, view, escaping, markMentions)
  // A mention names a webhook and is taken out before the message is sent, so its values are not escaped.
  return text.replaceAll(/\uE000[^\uE001]*\uE001/g, unescapeMarkdown)
}

/** Whether a message can mention somebody. One that cannot be parsed mentions nobody. */
export function hasMentions(template: string): boolean {
  if (!template.includes('@')) return false
  try {
    return markMentions(Handlebars.parse(unmarked(template))) > 0
  } catch {
    return false
  }
}

/** The body of a request. Its values are already written for JSON. */
export function renderBody(template: string, variables: object): string {
  return rendered(titles, template, variables, 'none')
}

function environment(): typeof Handlebars {
  const own = Handlebars.create()
  own.registerHelper('log', refuseLog)
  own.unregisterDecorator('inline')
  own.registerHelper('eq', isEqual)
  own.registerHelper(escapeHelper, escapedValue)
  for (const [name, helper] of Object.entries(own.helpers)) own.registerHelper(name, withLimits(helper))
  return own
}

/** The helper, with blocks that are rendered at most `maxSteps` times and produce at most `maxCharacters` in all. */
function withLimits(helper: Handlebars.HelperDelegate): Handlebars.HelperDelegate {
  return function (this: unknown, ...args: unknown[]): unknown {
    const options = args.at(-1) as Handlebars.HelperOptions | undefined // the last argument of every helper
    if (typeof options?.fn !== 'function') return Reflect.apply(helper, this, args)
    const blocks = { fn: limitedBlock(options.fn), inverse: limitedBlock(options.inverse) }
    return Reflect.apply(helper, this, [...args.slice(0, -1), { ...options, ...blocks }])
  }
}

function limitedBlock(block: Handlebars.TemplateDelegate): Handlebars.TemplateDelegate {
  return (context, options) => {
    if (++used.steps > maxSteps) throw new TemplateError(`its blocks are rendered more than ${maxSteps} times`)
    const text = block(context, options)
    used.characters += text.length
    if (used.characters > maxCharacters) {
      throw new TemplateError(`its blocks produce more than ${maxCharacters} characters`)
    }
    return text
  }
}

/** @param prepare changes the parsed template */
function rendered(
  handlebars: typeof Handlebars,
  template: string,
  view: object,
  escaping: Escaping,
  prepare?: (program: hbs.AST.Program) => void,
): string {
  used = { steps: 0, characters: 0 }
  try {
    const program = Handlebars.parse(unmarked(template))
    prepare?.(program)
    if (escaping !== 'none') new EscapedValues(escaping, handlebars).accept(program)
    return handlebars.compile(program, { noEscape: true })(view)
  } catch (error) {
    throw new TemplateError(reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) {
    return /call stack/i.test(error.message) ? 'the template is nested too deeply' : 'the result is too long'
  }
  const [first = 'the template is not valid', ...more] = error instanceof Error ? error.message.split('\n') : []
  const expected = more.findLast((line) => line.startsWith('Expecting'))
  if (expected?.includes("got 'CLOSE_UNESCAPED'")) return `${first} Write a space between }} and }.`
  return (expected ? `${first} ${expected}` : first).slice(0, 300)
}

function refuseLog(): never {
  throw new TemplateError('log is not available')
}

/** `{{#if (eq state "ALERT")}}`, or as a block: `{{#eq state "ALERT"}}`. */
function isEqual(this: unknown, a: unknown, b: unknown, options: Handlebars.HelperOptions): unknown {
  if (typeof options?.fn !== 'function') return a === b
  return a === b ? options.fn(this) : options.inverse(this)
}

/** `{{#is_match "attributes.env" "production"}}`: a path into the view, compared as text. */
function isMatch(this: unknown, path: unknown, expected: unknown, options: Handlebars.HelperOptions): string {
  if (typeof path !== 'string' || typeof options?.fn !== 'function') {
    throw new TemplateError('is_match needs a path in quotes and a value: {{#is_match "attributes.env" "production"}}')
  }
  return valueAt(options.data?.root, path.split('.')) === expected ? options.fn(this) : ''
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return valueAt(Reflect.get(value, name), rest)
}

/** Escapes the values of a parsed template, but not its own text, and not `{{{…}}}`. */
class EscapedValues extends Handlebars.Visitor {
  readonly #escaping: Escaping
  readonly #handlebars: typeof Handlebars

  constructor(escaping: Escaping, handlebars: typeof Handlebars) {
    super()
    this.#escaping = escaping
    this.#handlebars = handlebars
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    const { path, params, hash, loc, escaped } = mustache
    if (!escaped) return
    const isCall = params.length > 0 || (hash?.pairs.length ?? 0) > 0 || this.#isHelper(path)
    const value: hbs.AST.Expression = isCall ? callOf(path, params, hash, loc) : path
    mustache.path = pathOf(escapeHelper, loc)
    mustache.params = [value, textOf(this.#escaping, loc)]
    mustache.hash = { type: 'Hash', pairs: [], loc }
  }

  #isHelper(path: hbs.AST.Expression): boolean {
    return 'original' in path && Object.hasOwn(this.#handlebars.helpers, String(path.original))
  }
}

function callOf(
  path: hbs.AST.Expression,
  params: hbs.AST.Expression[],
  hash: hbs.AST.Hash,
  loc: hbs.AST.SourceLocation,
): hbs.AST.SubExpression {
  // The type knows only names of helpers; the compiler refuses others.
  return { type: 'SubExpression', path: path as hbs.AST.PathExpression, params, hash, loc }
}

function pathOf(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc }
}

function textOf(value: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value, original: value, loc }
}

/** Called for each value of a template whose receiver reads markup. */
function escapedValue(value: unknown, escaping: Escaping): string {
  return value === null || value === undefined ? '' : escape(String(value), escaping)
}
