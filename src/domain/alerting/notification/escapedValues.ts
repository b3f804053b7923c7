/** Escapes what templates print, for receivers that read their texts as markup. */
import Handlebars from 'handlebars'
import { escape, type Escaping } from './escaping.ts'

/** No template can call it by this name. */
export const escapeHelper = 'escaped value'

/** Escapes the values of a parsed template, but not its own text, and not `{{{…}}}`. */
export class EscapedValues extends Handlebars.Visitor {
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
export function escapedValue(value: unknown, escaping: Escaping): string {
  return value === null || value === undefined ? '' : escape(String(value), escaping)
}
