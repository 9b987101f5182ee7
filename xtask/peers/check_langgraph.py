"""Reads every transcript as LangChain's messages and puts it to the check of LangGraph's prebuilt agents."""
import json
import sys

from langchain_core.messages import convert_to_messages
from langgraph.prebuilt.chat_agent_executor import _validate_chat_history

objections = 0
with open(sys.argv[1], encoding="utf-8") as lines:
    transcripts = [json.loads(line) for line in lines if line.strip()]
for transcript in transcripts:
    try:
        messages = convert_to_messages(transcript["messages"])
        if len(messages) != len(transcript["messages"]):
            raise ValueError("messages were lost on the way")
        _validate_chat_history(messages)
    except Exception as error:  # Whatever it says, it is an objection.
        objections += 1
        print(f"{transcript['name']}: {type(error).__name__}: {str(error)[:300]}")
print(f"langgraph: {len(transcripts)} transcripts, {objections} objections")
sys.exit(1 if objections else 0)
