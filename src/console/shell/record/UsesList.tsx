import Box from '@mui/material/Box'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import type { RecordBase, Uses } from './resource.ts'

interface UsesListProps<T> {
  records: readonly T[]
  nameOf: (record: T) => string
  usesOf: (id: string) => Uses
}

/** Records in use, each with links to what uses it. */
export function UsesList<T extends RecordBase>({ records, nameOf, usesOf }: UsesListProps<T>) {
  return (
    <ScrollRegion label="In use" sx={{ maxHeight: 240 }}>
      {records.map((record) => (
        <Box key={record.id} sx={{ mb: 2 }}>
          <strong>{nameOf(record)}</strong>
          {usesOf(record.id).links(true)}
        </Box>
      ))}
    </ScrollRegion>
  )
}
