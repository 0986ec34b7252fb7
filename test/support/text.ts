/** The body of an answer as text. workerd warns of `text()` for every type that it does not know for one, NDJSON among them. */
export const textOf = async (answer: Response): Promise<string> => new TextDecoder().decode(await answer.arrayBuffer());
