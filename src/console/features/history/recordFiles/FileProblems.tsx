import { asFailure } from '#console/api/failure.ts'
import { Text } from '#console/ui/base/Text.tsx'
import css from './recordFiles.module.css'

/** Each file of a zip that is no record, with the place in it. */
export function FileProblems({ error }: { error: unknown }) {
  const { fields = [] } = asFailure(error)
  if (fields.length < 2) return null
  return (
    <ul className={css.problems} aria-label="Problems">
      {fields.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> <Text component="span">{message}</Text>
        </li>
      ))}
    </ul>
  )
}
