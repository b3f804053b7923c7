import { ImportMany } from './ImportMany.tsx'
import { ImportOne } from './ImportOne.tsx'
import { useImport } from './useImport.ts'

/** Takes in dashboards from a file: their sources are found here by kind, name and table, and may be chosen. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const taken = useImport()
  if (taken.dashboards.length > 1) return <ImportMany taken={taken} onClose={onClose} />
  return <ImportOne taken={taken} onFile={(file) => void taken.read(file)} onClose={onClose} />
}
