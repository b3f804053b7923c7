/** CodeMirror, set up for the house. Loaded with its first use. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { sql } from '@codemirror/lang-sql'
import {
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { nonce } from '../base/nonce.ts'

export interface Problem {
  /** Characters from the start of the text. */
  from: number
  to: number
  message: string
  severity: 'error' | 'warning'
}

interface EditorOptions {
  parent: HTMLElement
  text: string
  language: 'json' | 'sql'
  label: string
  dark: boolean
  readOnly: boolean
  onChange: (text: string) => void
  /** The errors of a text, requested a moment after the last key. */
  check: (text: string) => Problem[]
  /** Extensions of one page, such as its keys. They come before those of all editors. */
  extensions?: readonly Extension[] | undefined
}

export interface CodeEditor {
  setText: (text: string) => void
  setDark: (dark: boolean) => void
  /** Underlines problems that are known from elsewhere, until the next key. */
  setProblems: (problems: readonly Problem[]) => void
  /** Writes at the cursor, and puts the focus there. */
  insert: (text: string) => void
  destroy: () => void
}

const languages = { json, sql: () => sql() }

/** An editor in an element. Tab moves the focus on, as everywhere else. */
export function createEditor(options: EditorOptions): CodeEditor {
  const { parent, text, language, label, dark, readOnly, onChange, check } = options
  const themeCompartment = new Compartment()
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...(options.extensions ?? []),
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
        languages[language](),
        linter((editor): Diagnostic[] => check(editor.state.doc.toString())),
        lintGutter(),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorState.readOnly.of(readOnly),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
        themeCompartment.of(editorTheme(dark)),
      ],
    }),
  })
  return {
    setText: (next) => {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    setDark: (next) => view.dispatch({ effects: themeCompartment.reconfigure(editorTheme(next)) }),
    setProblems: (problems) => {
      const { length } = view.state.doc
      const within = (at: number) => Math.min(Math.max(at, 0), length)
      const found = problems.map((problem) => ({ ...problem, from: within(problem.from), to: within(problem.to) }))
      view.dispatch(setDiagnostics(view.state, found))
    },
    insert: (added) => {
      view.dispatch(view.state.replaceSelection(added))
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

/** Colours come from the theme's variables; CodeMirror only has to know which side it is on. */
function editorTheme(dark: boolean): Extension {
  return EditorView.theme(
    {
      '&': { fontSize: '12px', height: '100%', color: 'inherit' },
      '&.cm-focused': { outline: 'none' },
      '.cm-content': { fontFamily: 'inherit', caretColor: 'currentColor' },
      '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.5' },
      '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'inherit', opacity: '0.75' },
      '.cm-activeLine': { backgroundColor: 'rgb(128 128 128 / 0.08)' },
      '.cm-cursor': { borderLeftColor: 'currentColor' },
      '.ͼi': { color: dark ? '#62c79a' : '#00704a' },
      ...(dark && {
        '.ͼe': { color: '#f0a35c' },
        '.ͼd': { color: '#5fb8ee' },
        '.ͼb, .ͼc, .ͼg': { color: '#b9befa' },
        '.ͼm': { color: '#a3a5b0' },
        '.cm-tooltip': { backgroundColor: '#1f2026' },
      }),
    },
    { dark },
  )
}
