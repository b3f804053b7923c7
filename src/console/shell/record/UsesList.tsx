import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { RecordBase, Uses } from './resource.ts'
import css from './deletion.module.css'

interface UsesListProps<T> {
  records: readonly T[]
  nameOf: (record: T) => string
  usesOf: (id: string) => Uses
}

/** Records in use, each with links to what uses it. */
export function UsesList<T extends RecordBase>({ records, nameOf, usesOf }: UsesListProps<T>) {
  return (
    <ScrollRegion label="In use" className={css.usesList}>
      {records.map((record) => (
        <div key={record.id} className={css.record}>
          <strong>{nameOf(record)}</strong>
          {usesOf(record.id).links(true)}
        </div>
      ))}
    </ScrollRegion>
  )
}
