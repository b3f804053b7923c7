/** The effect of a deletion, in sentences. */
import { counted } from '#domain/text/words.ts'
import type { CrudResource, RecordBase } from './resource.ts'

/** The effect of deleting these records, and of Undo. */
export function deletionText<T extends RecordBase>({ noun, deletion }: CrudResource<T>, records: readonly T[]): string {
  const { effect, notRestored, irreversible, body } = deletion
  if (!body) return sentences(effect)
  const lost = records.filter((record) => irreversible?.(record) !== undefined)
  const restored = records.filter((record) => !lost.includes(record))
  const many = records.length > 1
  const [first] = lost
  return sentences(
    effect,
    restored.length > 0 && `Undo recreates ${many ? 'them with new IDs' : 'it with a new ID'}.`,
    restored.length > 0 && notRestored?.(restored),
    first && `${many ? counted(lost.length, noun) : 'It'} cannot be restored: ${irreversible?.(first)}.`,
  )
}

/** Those that have something to say, in one line. */
export function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
