import { ExplainView, type ExplainViewProps } from '#console/charting/explanation/ExplainView.tsx'
import { Drawer } from '#console/ui/mui/Drawer.tsx'
import * as css from './tiles.module.css'

interface TileExplanationProps extends ExplainViewProps {
  /** Whether the words on how a part is selected have a place of their own, and not one over the chart. */
  inFlow?: boolean
}

/** "Explain this" of a tile: how a range is selected is said over the chart, and the answer is beside the dashboard. */
export function TileExplanation({ inFlow = false, ...props }: TileExplanationProps) {
  const { choosing, close } = props.explanation
  if (choosing) {
    return (
      <div className={inFlow ? css.choosingAbove : css.choosing}>
        <ExplainView {...props} />
      </div>
    )
  }
  return (
    <Drawer
      anchor="right"
      open
      onClose={close}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': 'Explanation',
          className: css.drawer,
          sx: { width: { xs: '100%', sm: 560 } },
        },
      }}
    >
      <ExplainView {...props} />
    </Drawer>
  )
}
