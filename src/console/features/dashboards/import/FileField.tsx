import { Upload } from 'lucide-react'
import { Notice } from '#console/ui/Notice.tsx'
import { ButtonIcon, buttonAttributes } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import css from './FileField.module.css'

interface FileFieldProps {
  onFile: (file: File) => void
  /** Error of the chosen file. */
  problem: string | null
}

/** A file, chosen or dropped. */
export function FileField({ onFile, problem }: FileFieldProps) {
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  return (
    <>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files)
        }}
        className={css.fileField}
      >
        <label {...buttonAttributes({}, css.chooseButton)}>
          <ButtonIcon>
            <Upload size={14} aria-hidden />
          </ButtonIcon>
          Choose a JSON file
          <input
            type="file"
            accept=".json,application/json"
            aria-label="Dashboard file"
            onChange={(event) => take(event.target.files)}
          />
        </label>
        <Text variant="caption" color="textSecondary" className={css.hintText}>
          or drop it here. Accepts exports of this console and of the vendor’s page, and dashboards returned by the API.
        </Text>
      </div>
      {problem && (
        <Notice tone="error" role="alert">
          {problem}
        </Notice>
      )}
    </>
  )
}
