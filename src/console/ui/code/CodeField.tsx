import { useEffect, useRef, useState } from 'react'
import { useDark } from '../theme/themeMode.ts'
import type { CodeEditor, createEditor, Problem } from './editor.ts'
import css from './CodeField.module.css'

interface EditorModule {
  createEditor: typeof createEditor
}

let loading: Promise<EditorModule> | undefined

/** Starts loading the editor ahead of its first use. */
export function loadEditor(): Promise<EditorModule> {
  loading ??= import('./editor.ts')
  return loading
}

interface CodeFieldProps {
  label: string
  text: string
  language: 'json' | 'sql'
  onChange: (text: string) => void
  /** The errors of a text, underlined at their place. */
  check?: (text: string) => Problem[]
  readOnly?: boolean
  minHeight?: number
}

const nothingWrong = (): Problem[] => []

/** A text as code. It is shown as plain text until the editor is loaded. */
export function CodeField({
  label,
  text,
  language,
  onChange,
  check = nothingWrong,
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
    void loadEditor().then(({ createEditor }) => {
      if (!live || !parent.current) return
      editor.current = createEditor({
        parent: parent.current,
        language,
        label,
        readOnly,
        text: latest.current.text,
        dark: latest.current.dark,
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
  }, [language, label, readOnly])

  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setDark(dark), [dark])

  return (
    <div className={css.codeField} style={{ minHeight: minHeight }}>
      {!ready && <pre className={css.plainText}>{text}</pre>}
      <div ref={parent} />
    </div>
  )
}
