import type { Extension } from '@codemirror/state'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useDark } from '../theme/themeMode.ts'
import type { CodeEditor, createEditor, Problem } from './editor.ts'
import * as css from './code.module.css'

interface EditorModule {
  createEditor: typeof createEditor
}

let loading: Promise<EditorModule> | undefined

/** Starts loading the editor ahead of its first use. */
export function loadEditor(): Promise<EditorModule> {
  loading ??= import('./editor.ts')
  return loading
}

export type CodeHandle = Pick<CodeEditor, 'insert'>

interface CodeFieldProps {
  handle?: Ref<CodeHandle>
  label: string
  text: string
  language: 'json' | 'sql'
  onChange: (text: string) => void
  /** The errors of a text, underlined at their place. */
  check?: (text: string) => Problem[]
  /** Problems of the text that are known from elsewhere, until it changes. */
  problems?: readonly Problem[]
  /** Loads what only this page has, beside the editor. */
  extend?: () => Promise<readonly Extension[]>
  readOnly?: boolean
  minHeight?: number
}

const nothingWrong = (): Problem[] => []
const noProblems: readonly Problem[] = []

/** A text as code. It is shown as plain text until the editor is loaded. */
export function CodeField({
  handle,
  label,
  text,
  language,
  onChange,
  check = nothingWrong,
  problems = noProblems,
  extend,
  readOnly = false,
  minHeight = 220,
}: CodeFieldProps) {
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor | null>(null)
  const [ready, setReady] = useState(false)
  const dark = useDark()
  const latest = useRef({ text, onChange, check, dark })

  useEffect(() => {
    latest.current = { text, onChange, check, dark }
  })

  useEffect(() => {
    let live = true
    void Promise.all([loadEditor(), extend?.()]).then(([{ createEditor }, extensions]) => {
      if (!live || !parent.current) return
      editor.current = createEditor({
        parent: parent.current,
        language,
        label,
        readOnly,
        text: latest.current.text,
        dark: latest.current.dark,
        extensions,
        onChange: (next) => latest.current.onChange(next),
        check: (next) => latest.current.check(next),
      })
      setReady(true)
    })
    return () => {
      live = false
      editor.current?.destroy()
      editor.current = null
    }
  }, [language, label, readOnly, extend])

  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setDark(dark), [dark])
  useEffect(() => editor.current?.setProblems(problems), [problems])
  useImperativeHandle(handle, () => ({ insert: (added) => editor.current?.insert(added) }), [])

  return (
    <div className={css.codeField} style={{ minHeight: minHeight }}>
      {!ready && <pre className={css.plainText}>{text}</pre>}
      <div ref={parent} />
    </div>
  )
}
