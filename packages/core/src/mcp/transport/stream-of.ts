/** Like `ReadableStream.from`, which the DOM types lack. Nothing is read ahead. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await chunks.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async () => void (await chunks.return(undefined));
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
