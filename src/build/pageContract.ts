import { Visitor, type ESTree, type Plugin } from 'vite'

/**
 * Leaves out of the page's copy of the contract what only the stack uses: the strict schemas of request bodies
 * (`strictBody`, `productBody`), and then all that nothing else refers to. Modules of the contract have no side effects, which the
 * bundler cannot tell from the calls of zod that they consist of.
 */
export function pageContract(): Plugin {
  return {
    name: 'page-contract',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/contract\/[\w/]+\.ts$/ },
      handler(code) {
        const edited = withEdits(code, editsOf(this.parse(code)))
        return { code: withEdits(edited, unusedImports(edited, this.parse(edited))), map: null }
      },
    },
  }
}

const strict: readonly string[] = ['strictBody', 'productBody']

interface Edit {
  start: number
  end: number
  text: string
}

function editsOf(program: ESTree.Program): Edit[] {
  const edits: Edit[] = []
  new Visitor({
    Property({ key, value }) {
      if (key.type !== 'Identifier' || !strict.includes(key.name)) return
      edits.push({ start: value.start, end: value.end, text: 'undefined' })
    },
  }).visit(program)
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { init } of declaration.declarations) {
      if (init?.type !== 'CallExpression') continue
      edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' })
      edits.push({ start: init.end, end: init.end, text: ')()' })
    }
  }
  return edits
}

/** Imports of modules that are no longer used, which would still count as part of every page (`sharedChunks.ts`). */
function unusedImports(code: string, program: ESTree.Program): Edit[] {
  const imports = program.body.filter((statement) => statement.type === 'ImportDeclaration')
  const rest = withEdits(
    code,
    imports.map(({ start, end }) => ({ start, end, text: '' })),
  )
  return imports.flatMap(({ start, end, specifiers }) => {
    const isUsed = specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(rest))
    return isUsed ? [] : { start, end, text: '' }
  })
}

function withEdits(code: string, edits: readonly Edit[]): string {
  let edited = code
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return edited
}
