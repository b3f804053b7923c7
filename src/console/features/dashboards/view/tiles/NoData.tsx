import Typography from '@mui/material/Typography'

/** Of a tile whose conditions found nothing. */
export function NoData() {
  return (
    <Typography color="textSecondary" sx={{ m: 'auto', p: 2 }}>
      No data in this range.
    </Typography>
  )
}
