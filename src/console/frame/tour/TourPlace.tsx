import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { useBrowserSetting } from '#console/shell/browserSettings.ts'

/** The place of the offer until it is known whether there is one. */
export function TourPlace() {
  const isKept = useBrowserSetting('tourOffered')
  const tour = useBrowserSetting('tour')
  return isKept && tour !== 'dismissed' && <LoadingPanels heights={[188]} />
}
