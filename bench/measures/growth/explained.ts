/**
 * Figures that may grow more than others, each with the reason; by the beginning of their names. Everything else has the bar.
 */
const day = 'it reads the payments of its days, and a day has a hundred times as many'
const hours = 'it reads sums of hours, and the small account has payments in few of its hours'
const queue = 'the queue holds ten thousand messages instead of ninety, and each is compared'
const texts = 'it compares the texts of all its checkouts, a hundred times as many'
const found = 'more is found: the small account has fewer rows that match'

export const explained: Readonly<Record<string, string>> = {
  showOverview: day,
  showArrivedDays: day,
  showArrivedHours: day,
  showDaySums: day,
  downloadDaySums: day,
  showDayClose: day,
  listDayLines: day,
  downloadDayClose: day,
  listDays: day,
  showCharts: hours,
  'listUnmatched, by amount': queue,
  'listUnmatched, search': queue,
  'listCheckouts, search': texts,
  'search, 4 digits': found,
  'search, a name': found,
  'learn rhythms of phones': 'it reads the messages of weeks of a phone, a hundred times as many',
}

export const reasonFor = (name: string): string | undefined =>
  Object.entries(explained).find(([beginning]) => name.startsWith(beginning))?.[1]
