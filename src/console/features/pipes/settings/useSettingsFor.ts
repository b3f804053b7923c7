/** The settings that a form or a page shows. */
import { useMemo } from 'react'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { PipeKind } from '#contract/cloud/pipeKinds.ts'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import type { PipeSetting } from '#contract/cloud/pipes/pipeSettings.ts'
import { settingsFor } from './settingsForm.ts'

/** The settings of a source type, without those that the deployment is known not to have. */
export function useSettingsFor(kind: PipeKind | null): readonly PipeSetting[] {
  const isStack = useFeatureOffer(useConnection(), pipes.badRecords)
  return useMemo(() => settingsFor(kind).filter(({ ofStack }) => isStack || !ofStack), [isStack, kind])
}
