/** A QR code that the server drew. An SVG received as text is shown as an image: no script in it can run. */
import { Center } from '@mantine/core'

export const QrImage = ({ svg, alt }: { svg: string; alt: string }) => (
  <Center bg="white" p="md" style={{ borderRadius: 8 }}>
    <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} width={200} height={200} alt={alt} />
  </Center>
)
