/** The test of a source before its pipe is created: connects to it, and reads a sample or the tables that it has. */
import { useRef, useState } from 'react'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import type { PipeForm } from '../forms/pipeForm.ts'
import { sourceTypeBody, type Body } from '../forms/sourceBody.ts'

export interface SourceTest {
  /** Why the source cannot be tested. */
  reason: string | undefined
  isOffered: boolean
  run: () => void
  pending: boolean
  /** The failure of the source as the form has it now. */
  error: ApiFailure | null
  found: Discovery | null
  /** Milliseconds of the successful test. */
  took: number
}

const notOffered = 'This deployment’s API does not offer tests and samples of sources.'

/** @param onFound is called with what a test found */
export function useSourceTest(form: PipeForm, onFound: (found: Discovery) => void): SourceTest {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, pipes.discover)
  const startedAt = useRef(0)
  const [took, setTook] = useState(0)
  const test = useApiMutation(connection.id, pipes.discover, {
    onSuccess: (found) => {
      setTook(performance.now() - startedAt.current)
      onFound(found)
    },
  })
  const input = { params: { serviceId: form.serviceId }, body: { source: testedSource(form) } }
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(input)
  return {
    reason: isOffered ? lockReason(connection) : notOffered,
    isOffered,
    run: () => {
      startedAt.current = performance.now()
      test.mutate(input)
    },
    pending: test.isPending,
    error: isCurrent ? test.error : null,
    found: isCurrent ? (test.data ?? null) : null,
    took,
  }
}

/** The source as it is tested. A database tells its tables when none is asked for. */
function testedSource({ kind, source }: PipeForm): Body {
  const { settings: _settings, tableMappings: _tables, ...tested } = sourceTypeBody(kind, source)
  return { [kind]: tested }
}
