import { FileArchive } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import type { RecordZip } from '#console/api/gateway/recordFiles.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { readZip, zipProblem } from './zipFile.ts'
import * as css from '../history.module.css'

interface ChooseFileProps {
  /** The file that was chosen before. */
  name?: string | undefined
  /** Its known content. */
  detail?: string | undefined
  onChoose: (zip: RecordZip) => void
}

/** Takes a zip: from the disk, or dropped on it. */
export function ChooseFile({ name, detail, onChoose }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined) => {
    if (!file) return
    const found = zipProblem(file)
    setProblem(found)
    if (found !== undefined) return
    try {
      onChoose(await readZip(file))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file cannot be read.')
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <>
      {/* Dropping is the mouse's way; the button is everybody's. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        aria-label="File"
        className={css.drop}
        data-over={isOver || undefined}
        data-chosen={name !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <FileArchive size={18} strokeWidth={1.6} aria-hidden className={css.recordFilesIcon} />
        {name === undefined ? (
          <Text className={css.dropText}>Drop a zip of record files here, or choose one.</Text>
        ) : (
          <Text className={css.dropText}>
            <span className={css.fileName}>{name}</span>
            {detail !== undefined && ` · ${detail}`}
          </Text>
        )}
        <input
          ref={input}
          type="file"
          accept=".zip,application/zip"
          hidden
          aria-label="Zip of record files"
          onChange={({ target }) => {
            void take(target.files?.[0])
            // The same file can be chosen again, after it was changed.
            target.value = ''
          }}
        />
        <Button onClick={() => input.current?.click()}>
          {name === undefined ? 'Choose a zip…' : 'Choose another…'}
        </Button>
      </section>
      {problem !== undefined && (
        <Notice tone="error" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}
