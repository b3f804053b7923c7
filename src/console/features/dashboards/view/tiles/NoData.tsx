import { Text } from '#console/ui/base/Text.tsx'
import * as css from './tiles.module.css'

/** The content of a tile whose conditions found nothing. */
export function NoData() {
  return (
    <Text color="textSecondary" className={css.noData}>
      No data in this range.
    </Text>
  )
}
