"""Puts every transcript to the validator that Mistral's own tokenizer runs before it serves a request."""
import json
import sys

from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import MistralRequestValidatorV13, ValidationMode

objections = 0
validator = MistralRequestValidatorV13(ValidationMode.serving)
with open(sys.argv[1], encoding="utf-8") as lines:
    transcripts = [json.loads(line) for line in lines if line.strip()]
for transcript in transcripts:
    try:
        request = ChatCompletionRequest.from_openai(transcript["messages"], model="mistral-large-latest")
        for message, source in zip(request.messages, transcript["messages"]):
            # OpenAI's form knows no prefix, and the conversion loses it.
            if source.get("prefix"):
                message.prefix = True
        validator.validate_request(request)
    except Exception as error:  # Whatever it says, it is an objection.
        objections += 1
        print(f"{transcript['name']}: {type(error).__name__}: {str(error)[:300]}")
print(f"mistral_common: {len(transcripts)} transcripts, {objections} objections")
sys.exit(1 if objections else 0)
