/** The editor's completion of tables, columns and words, and its keys. Loaded with the editor. */
import { autocompletion, closeCompletion, completionKeymap, type CompletionContext } from '@codemirror/autocomplete'
import { keywordCompletionSource, schemaCompletionSource, StandardSQL, type SQLNamespace } from '@codemirror/lang-sql'
import { type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { SqlTable } from '#contract/stack/sql.ts'

/** @param tables those that are known when somebody types */
export function sqlExtensions(tables: () => readonly SqlTable[], run: (statement: string) => void): Extension[] {
  const words = keywordCompletionSource(StandardSQL, true)
  const names = (context: CompletionContext) => schemaCompletionSource({ schema: namespaceOf(tables()) })(context)
  return [
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: (view) => {
            closeCompletion(view)
            run(view.state.doc.toString())
            return true
          },
        },
      ]),
    ),
    autocompletion({ override: [names, columnNames(tables), words] }),
    keymap.of(completionKeymap),
    popupTheme,
  ]
}

const popupTheme = EditorView.theme({
  '.cm-tooltip.cm-tooltip-autocomplete': {
    border: '1px solid var(--edge)',
    borderRadius: '7px',
    background: 'var(--raised)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
})

/** Tables of the first database, which is that of telemetry, need no name of a database before theirs. */
function namespaceOf(tables: readonly SqlTable[]): SQLNamespace {
  const own = tables.find(({ name }) => name.startsWith('otel_'))?.database
  const entries = tables.map((table): [string, SQLNamespace] => [
    table.database === own ? table.name : `${table.database}.${table.name}`,
    table.columns.map(({ name, type }) => ({ label: name, detail: type, type: 'property' })),
  ])
  return Object.fromEntries(entries)
}

const word = /(?<![\w.])[\w.]*$/
const maxColumns = 500

/** The columns of the tables that the statement names, or of all until it names one, wherever the cursor is. */
function columnNames(tables: () => readonly SqlTable[]) {
  return (context: CompletionContext) => {
    const typed = context.matchBefore(word)
    if (!typed || typed.text.includes('.') || (typed.text === '' && !context.explicit)) return null
    const text = context.state.doc.toString()
    const named = tables().filter(({ name }) => text.includes(name))
    const offered = named.length > 0 ? named : tables()
    const columns = new Map(offered.flatMap((table) => table.columns.map(({ name, type }) => [name, type] as const)))
    const options = [...columns].slice(0, maxColumns).map(([label, detail]) => ({ label, detail, type: 'property' }))
    return { from: typed.from, options, validFor: /^\w*$/ }
  }
}
