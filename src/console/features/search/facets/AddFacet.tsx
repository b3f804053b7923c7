import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'

const FacetForm = lazyComponent(async () => (await import('./FacetForm.tsx')).FacetForm)

interface AddFacetProps {
  connection: Connection
  source: Source
  onAdd: (field: string) => void
}

/** Adds a field whose values are listed. */
export function AddFacet({ connection, source, onAdd }: AddFacetProps) {
  const [adding, setAdding] = useState(false)
  if (!adding) {
    return (
      <Button
        startIcon={<Plus size={14} aria-hidden />}
        onPointerEnter={FacetForm.preload}
        onFocus={FacetForm.preload}
        onClick={() => setAdding(true)}
      >
        Add field
      </Button>
    )
  }
  const add = (field: string) => {
    if (field !== '') onAdd(field)
    setAdding(false)
  }
  return <FacetForm connection={connection} source={source} onSubmit={add} />
}
