import { ImportMany } from './ImportMany.tsx'
import { ImportOne } from './ImportOne.tsx'
import { useImport } from './useImport.ts'

/** Imports dashboards from a file. Their sources are matched by kind, name and table, and can be changed. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const taken = useImport()
  if (taken.dashboards.length > 1) return <ImportMany taken={taken} onClose={onClose} />
  return <ImportOne taken={taken} onFile={(file) => void taken.read(file)} onClose={onClose} />
}
